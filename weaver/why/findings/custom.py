"""A custom function's backward doesn't use the gradient that it receives."""

import ast
from collections.abc import Iterator

from weaver.recording.model import Event, Value
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun
from weaver.why.values import DESCRIBING, is_one, is_zero


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find custom functions that passed gradients on, and whose `backward` reads none that it's given."""
    visits: dict[str, list[Event]] = {}
    for one in run.passes:
        for visit in one.visits:
            node = run.nodes.get(visit.node or "")
            if node and node.custom and any(value is not None for value in visit.passed or ()):
                visits.setdefault(node.name, []).append(visit)
    classes = [one for one in run.lines.every() if isinstance(one, ast.ClassDef)] if visits else []
    for each in classes:
        ran = visits.get(f"{each.name}Backward")
        backward = next((one for one in each.body if _is_backward(one)), None)
        if ran and isinstance(backward, ast.FunctionDef) and (unread := _unread(backward)):
            is_last = all(_is_one(value) for visit in ran for value in visit.received or ())
            last = backward.body[-1]  # which returns
            fields = {"name": each.name, "leaf": unread}
            severity = Severity.NOTE if is_last else Severity.WRONG
            yield Finding("custom", severity, last.lineno, -1, None, "", fields)
        if ran and isinstance(backward, ast.FunctionDef) and (lost := _lost(run, ran)):
            fields = run.named(lost) | {"call": each.name}
            yield Finding("custom", Severity.WRONG, backward.body[-1].lineno, -1, None, "none", fields)


def _lost(run: WatchedRun, visits: list[Event]) -> set[str]:
    """Return the trained leaves behind which a custom function passed None, and that never get a gradient."""
    passed = ((run.nodes[one.node or ""].next, one.passed or ()) for one in visits)
    pairs = (pair for each in passed for pair in zip(*each, strict=False))
    behind = run.behind(place for place, value in pairs if place and value is None)
    return (behind & run.stepped) - run.given


def _is_backward(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef) and statement.name == "backward"


def _unread(backward: ast.FunctionDef) -> str:
    """Return the first gradient that a function gets if it reads none of them, else nothing."""
    given = [one.arg for one in (*backward.args.args[1:], backward.args.vararg) if one]
    parts = [*ast.walk(backward)]
    asked = {id(part.value) for part in parts if isinstance(part, ast.Attribute) and part.attr in DESCRIBING}
    read = {part.id for part in parts if isinstance(part, ast.Name) and id(part) not in asked}
    return given[0] if given and read.isdisjoint(given) else ""


def _is_one(value: Value) -> bool:
    """Tell whether a gradient is 1, as that of a loss is, or 0 or None everywhere."""
    if isinstance(value, list):
        return all(map(_is_one, value))
    return value is None or is_zero(value) or is_one(value)
