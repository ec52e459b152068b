"""A second name was meant to keep a tensor as it was, and a write by the first name changes it."""

import ast
import re
from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.findings.alias import read_or_assigned
from weaver.why.run import WatchedRun

KEPT = re.compile(  # in a name
    r"(\b|_)(unmasked|orig(inal)?|clean|raw|before|old|prev(ious)?|residual|identity|shortcut|skip)(\b|_)"
)
FAR = 200  # steps after which no reading is looked for


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find writes to a tensor with two names, if a later line of the function reads the one to keep it."""
    every = {name for place in run.names for name in run.aliases(place) if name.isidentifier()}
    kept = {name for name in every if KEPT.search(name)}
    told: set[int] = set()
    for index, step in enumerate(run.steps if kept else ()):
        before = run.before(step)
        for name in sorted(kept & before.keys()) if not step.gap and step.line not in told else ():
            old, new = before[name], step.tensors.get(name)
            # A write that's recorded gives the tensor another node
            if not new or new.storage != old.storage or new.version == old.version or new.value == old.value:
                continue
            others = {other for other, one in before.items() if one.place == old.place} & every - kept
            is_own = name in read_or_assigned(run, step, ast.Load)  # that's meant to change
            if others and not is_own and (at := _read_later(run, index, name)) is not None:
                told.add(step.line)
                fields = {"name": name, "leaf": min(others)}
                yield Finding("kept", Severity.WRONG, step.line, index, run.steps[at].line, "", fields)


def _read_later(run: WatchedRun, index: int, name: str) -> int | None:
    """Return the first later step of a step's function that reads a name, unless it's assigned before."""
    for at in range(index + 1, min(index + FAR, len(run.steps))):
        step = run.steps[at]
        if step.depth < run.steps[index].depth or step.gap:
            return None
        if step.depth == run.steps[index].depth:
            if name in read_or_assigned(run, step, ast.Load):
                return at
            if name in read_or_assigned(run, step, ast.Store):
                return None
    return None
