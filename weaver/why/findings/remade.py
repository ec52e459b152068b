"""A line makes new parameters each time it runs, so that they never learn."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from weaver.recording.model import id_of
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun

CLASS = re.compile(r"\b(?!Variable\b|\w*Tensor\b)[A-Z]\w*\(")  # that's called, and makes more than a tensor
COPY = re.compile(r"(copy|clone)\(")


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find lines in functions whose new parameters get gradients that no optimizer, nor the program, uses."""
    known = {place for act in run.acts if act.kind in ("optimizer", "step") for place in act.places}
    known |= {place for _, place in run.readings}
    made: dict[int, dict[int, str]] = {}  # line -> step that ran it -> a leaf that it made
    last: dict[str, int] = {}  # leaf -> the step of its last gradient
    users = _users(run)
    for one in run.passes if run.of("step") else ():
        for visit in one.visits:
            leaf = visit.node or ""
            if leaf[:1] != "l" or visit.after is None or leaf in known:
                continue
            last[leaf] = one.step
            at = run.seen.get(leaf, users.get(leaf, -1))
            while at >= 0 and run.steps[at].function == "__init__" and run.callers[at] != at:
                at = run.callers[at]  # the line that makes the whole object
            step = run.steps[at] if at >= 0 else None
            if step and step.depth and not step.gap and _makes(run.text(step.line)):
                made.setdefault(step.line, {})[at] = leaf
    for line, leaves in made.items():
        again = pairwise(sorted(leaves.items()))
        is_replaced = all(last[leaf] < later for (_, leaf), (later, _) in again)  # else all are in use
        if len(leaves) > 1 and is_replaced and not _changes(run, leaves):
            yield Finding("remade", Severity.WRONG, line, min(leaves), None, "", {"n": str(len(leaves))})


def _makes(text: str) -> bool:
    return bool(CLASS.search(text)) and not COPY.search(text)


def _users(run: WatchedRun) -> dict[str, int]:
    """Return the step that recorded the first node that used each leaf."""
    found: dict[str, int] = {}
    for node in run.trace.nodes:
        for place in filter(None, node.next):
            found.setdefault(id_of(place), run.made(node))
    return found


def _changes(run: WatchedRun, leaves: Mapping[int, str]) -> bool:
    """Tell whether a line wrote to one of some leaves, by the steps that made them, later than that."""
    versions = {leaf[1:]: set[int | None]() for leaf in leaves.values()}
    made = {leaf[1:]: at for at, leaf in leaves.items()}
    for index, step in enumerate(run.steps):
        for state in step.tensors.values():
            if index >= made.get(state.place[1:], len(run.steps)):
                versions[state.place[1:]].add(state.version)
    return any(len(several) > 1 for several in versions.values())
