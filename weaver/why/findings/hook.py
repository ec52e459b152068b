"""A hook was registered and is never called, or it turns the sign of more than one loss's gradient."""

import ast
from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.recording.model import id_of
from weaver.why.finding import Finding, Severity
from weaver.why.findings.hooked import hooked
from weaver.why.run import WatchedRun
from weaver.why.values import is_reversed


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find hooks that are never called, and those that reverse the gradients of several lines at once."""
    yield from _unheard(run)
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


def _bypass(run: WatchedRun) -> int | None:
    """Return the line that called a module's `forward` itself, which calls no hook."""
    for line in sorted({step.line for step in run.steps}):
        calls = (one.func for one in run.expressions(line) if isinstance(one, ast.Call))
        if any(isinstance(one, ast.Attribute) and one.attr == "forward" and path(one.value) for one in calls):
            return line
    return None
