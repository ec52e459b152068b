"""A line means to freeze something, and only gives it an attribute."""

import ast
from collections.abc import Iterator
from difflib import SequenceMatcher

from weaver.recording.lines import path
from weaver.why.finding import Finding, Severity
from weaver.why.findings.trained import groups
from weaver.why.run import WatchedRun

ATTRIBUTE = "requires_grad"
ALIKE = 0.85  # of a name's letters that it has in the same order, at least, if it's misspelled


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that set `requires_grad` of what's no parameter to False, or another attribute of one."""
    found: dict[int, tuple[int, str, str, set[str]]] = {}  # line -> first step, name, attribute, parameters
    for index, step in enumerate(run.steps):
        for name, attribute in _set(run, step.line):
            parts = {one: state.place for one, state in step.tensors.items() if one.startswith(f"{name}.")}
            is_typo = attribute != ATTRIBUTE
            if is_typo and name in step.tensors:
                parts = {name: step.tensors[name].place}
            held = {place for place in parts.values() if place[0] == "l"}
            if held and (is_typo or name not in step.tensors):
                found.setdefault(step.line, (index, name, attribute, set()))[3].update(held)
    for line, (index, name, attribute, places) in found.items():
        fields = {"name": name, "groups": groups(run.names.get(place, "") for place in places)}
        case = "" if attribute == ATTRIBUTE else "misspelled"
        fields["call"] = attribute if case else f"{name}.requires_grad_(False)"
        yield Finding("attribute", Severity.WRONG, line, index, None, case, fields)


def _set(run: WatchedRun, line: int) -> Iterator[tuple[str, str]]:
    """Yield what a line sets `requires_grad`, or an attribute that's spelled about so, of to False."""
    for one in run.lines.statements(line):
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant) and one.value.value is False:
            for target in one.targets:
                if isinstance(target, ast.Attribute) and _is_alike(target.attr):
                    yield path(target.value) or "", target.attr


def _is_alike(name: str) -> bool:
    return SequenceMatcher(None, name, ATTRIBUTE).ratio() >= ALIKE
