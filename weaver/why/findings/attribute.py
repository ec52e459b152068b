"""`requires_grad` is set on a module, which only gives the module an attribute."""

import ast
from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.why.finding import Finding, Severity
from weaver.why.findings.trained import groups
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that set `requires_grad` to False on what has parameters, and is none."""
    found: dict[int, tuple[int, str, set[str]]] = {}  # line -> its first step, the name there, the parameters
    for index, step in enumerate(run.steps):
        for name in _frozen(run, step.line):
            parts = {one: state.place for one, state in step.tensors.items() if one.startswith(f"{name}.")}
            held = {place for place in parts.values() if place[0] == "l"}
            if held and name not in step.tensors:
                found.setdefault(step.line, (index, name, set()))[2].update(held)
    for line, (index, name, places) in found.items():
        names = groups(run.names.get(place, "") for place in places)
        fields = {"name": name, "groups": names, "call": f"{name}.requires_grad_(False)"}
        yield Finding("attribute", Severity.WRONG, line, index, None, "", fields)


def _frozen(run: WatchedRun, line: int) -> Iterator[str]:
    """Yield what a line sets `requires_grad` of to False."""
    for one in run.lines.statements(line):
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant) and one.value.value is False:
            for target in one.targets:
                if isinstance(target, ast.Attribute) and target.attr == "requires_grad":
                    yield path(target.value) or ""
