"""A gradient that's a constant is added to the loss: `grad()` was called without create_graph."""

import ast
from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.recording.model import TensorState, id_of
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedPass, WatchedRun

States = dict[str, TensorState]


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find losses to which a number is added that was computed from what `grad()` returned."""
    told = set()
    for number, one in enumerate(run.passes):
        if one.of != "grad" or one.line in told:
            continue
        later = next((other for other in run.passes[number + 1 :] if other.of == "backward"), None)
        if later and (added := _added(run, one, later)):
            told.add(one.line)
            index, name = added
            fields = {"name": name, "call": "create_graph=True"}
            yield Finding("penalty", Severity.WRONG, one.line, one.step, run.steps[index].line, "", fields)


def _added(run: WatchedRun, one: WatchedPass, later: WatchedPass) -> tuple[int, str] | None:
    """Return the step that adds to a pass's loss what comes from an earlier pass's results, and its name.

    What's multiplied with something that has a graph is a weight of the loss, which may well be a constant.
    """
    results = {place for place in _new(run, one.step) if place[:1] == "p"}
    made: set[str] = set()  # places of what was computed from the results
    behind, is_returned = run.behind(later.roots), False
    for index in range(one.step + 1, later.step + 1):
        step, before = run.steps[index], run.before(run.steps[index])
        known = {name for name, state in before.items() if state.place in results | made}
        read = {name for part in run.expressions(step.line) if (name := path(part)) in known}
        new = [*_new(run, index)]
        if read or is_returned:
            made.update(place for place in new if place[:1] == "p")
        leads = any(id_of(place) in behind for place in new)
        for part in run.lines.statements(step.line) if leads else ():
            for name in _constants(part, before):
                if before[name].place in made and before[name].shape == ():
                    return index, name
        is_return = any(isinstance(part, ast.Return) for part in run.lines.statements(step.line))
        is_returned = bool(step.depth) and is_return and (bool(read) or is_returned)
    return None


def _new(run: WatchedRun, index: int) -> Iterator[str]:
    """Yield the places of what a step made."""
    before = run.before(run.steps[index])
    for name, state in run.steps[index].tensors.items():
        if name not in before or before[name].place != state.place:
            yield state.place


def _constants(statement: ast.AST, before: States) -> Iterator[str]:
    """Yield the names of tensors that a statement adds on their own, or times numbers."""
    for part in ast.walk(statement):
        if isinstance(part, ast.BinOp | ast.AugAssign) and isinstance(part.op, ast.Add | ast.Sub):
            for side in [part.left, part.right] if isinstance(part, ast.BinOp) else [part.value]:
                names = {name for one in ast.walk(side) if (name := path(one)) and name in before}
                if len(names) == 1 and not any(isinstance(one, ast.Call) for one in ast.walk(side)):
                    yield from names
