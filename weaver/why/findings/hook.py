"""A hook is never called, writes into a gradient, or turns the sign of more than one loss's gradient."""

import ast
import re
from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.recording.model import id_of
from weaver.why.finding import Finding, Severity
from weaver.why.findings.hooked import hooked
from weaver.why.run import WatchedRun
from weaver.why.values import is_reversed

IN_PLACE = re.compile(r"(?<!requires_grad)(?<!_)_$")  # a method that writes


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find hooks that nothing calls, that write into gradients, or that reverse several lines' gradients."""
    yield from _unheard(run)
    yield from _writing(run)
    for each in hooked(run):
        if len(each.users) > 1 and is_reversed(each.event.received or [], each.event.passed or []):
            users = ", ".join(map(str, each.users))
            fields = {"name": run.names.get(each.place, ""), "first": users}
            yield Finding("hook", Severity.NOTE, each.line, each.step, each.one.line, "reversed", fields)


def _unheard(run: WatchedRun) -> Iterator[Finding]:
    """Find hooks that weren't called although backward passes ran after they were registered."""
    if any(note.why in ("settrace", "failed") for note in run.trace.notes):  # nobody heard the rest
        return
    passes = max((one.number for one in run.passes), default=-1) + 1
    told = {act.line for act in run.of("hook") if act.on}  # which was called after another time
    for act in run.of("hook"):
        if act.on or act.run >= passes or run.trace.error or act.line in told:
            continue
        visited = {id for one in run.passes for id in one.ids()}
        if not {id_of(place) for place in act.places} & visited:
            told.add(act.line)
            line = None if act.places else _bypass(run)
            fields = {"name": act.name}
            at = act.line if line else None
            yield Finding(
                "hook", Severity.WRONG, line or act.line, act.step, at, "forward" * bool(line), fields
            )


def _writing(run: WatchedRun) -> Iterator[Finding]:
    """Find the lines that register hooks on tensors which write into the gradient that they receive."""
    told: set[int] = set()
    for act in run.of("hook"):
        if act.on and act.places and act.line not in told and (name := _written_by(run, act.line, act.name)):
            told.add(act.line)
            fields = {"name": act.name, "leaf": name}
            yield Finding("hook", Severity.WRONG, act.line, act.step, None, "writes", fields)


def _written_by(run: WatchedRun, line: int, name: str) -> str:
    """Return the argument of a line's hook that it writes to, "" if it writes to none."""
    functions: list[ast.Lambda | ast.FunctionDef] = []
    functions += (one for one in run.expressions(line) if isinstance(one, ast.Lambda))
    functions += (one for one in run.lines.every() if isinstance(one, ast.FunctionDef) and one.name == name)
    for one in functions:
        parts = [*ast.walk(one)]
        copied = {path(to) for part in parts if isinstance(part, ast.Assign) for to in part.targets}
        for given in one.args.args[-1:]:
            if given.arg not in copied and any(_writes(part, given.arg) for part in parts):
                return given.arg
    return ""


def _writes(part: ast.AST, name: str) -> bool:
    """Tell whether a part of a function writes to what a name leads to."""
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
        return path(part.func.value) == name and bool(IN_PLACE.search(part.func.attr))
    targets = part.targets if isinstance(part, ast.Assign) else []
    targets = [part.target] if isinstance(part, ast.AugAssign) else targets
    own = (isinstance(one, ast.Subscript) and path(one.value) == name for one in targets)
    return any(own) or (isinstance(part, ast.AugAssign) and path(part.target) == name)


def _bypass(run: WatchedRun) -> int | None:
    """Return the line that called a module's `forward` itself, which calls no hook."""
    for line in sorted({step.line for step in run.steps}):
        calls = (one.func for one in run.expressions(line) if isinstance(one, ast.Call))
        if any(isinstance(one, ast.Attribute) and one.attr == "forward" and path(one.value) for one in calls):
            return line
    return None
