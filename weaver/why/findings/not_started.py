"""The engine can't start, as what it should differentiate has no graph."""

import ast
from collections.abc import Iterator

from weaver.why.cuts import last_cut, last_step, outs, switch
from weaver.why.finding import Finding, Severity
from weaver.why.findings.constant import is_from
from weaver.why.findings.trained import frozen_by
from weaver.why.run import WatchedPass, WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find what kept the engine from starting, for the first pass that couldn't."""
    if one := unstarted(run):
        yield from _not_started(run, one)


def unstarted(run: WatchedRun) -> WatchedPass | None:
    """Return the first pass that couldn't start, None if there's none."""
    return next((one for one in run.passes if one.failed and (one.failed.node or "")[:1] == "p"), None)


def _not_started(run: WatchedRun, one: WatchedPass) -> Iterator[Finding]:
    """Find what cut off the tensor at which the engine couldn't start."""
    told = next((none for none in run.steps[one.step].missing if none.why == "start"), None)
    leaves = {place for act in run.of("optimizer") for place in act.places}
    name = run.names.get(one.failed.node or "", "") if one.failed else ""
    is_grad = "grad(" in (text := run.text(one.line)) and "backward(" not in text
    fields = {"name": name, "by": "", "call": "autograd.grad()" if is_grad else "backward()"}
    if (off := run.switched_off(one.step)) and not run.guard(one.line):
        yield Finding("no_gradient", Severity.FAILS, off[0], one.step, one.line, "start_off", fields)
        return
    made = run.first([one.failed.node or ""] if one.failed else [])
    is_off = made is not None and run.steps[made].off
    line, step = switch(run, one.line, made, "no_grad") if is_off else (0, 0)
    if line and (by := run.switched_by(run.steps[step].line)):
        fields["by"] = by
    elif told and told.line:
        fields["by"] = told.by
        line = switch(run, told.line, last_step(run, told.line, one.step), told.by)[0]
    elif found := last_cut(run, leaves, one.step):
        fields["by"] = found.by
        line = found.switch(run)[0]
    elif inline := next((pair for pair in _inline(run, one)), None):
        line, fields["by"] = inline
    elif guard := run.guard(one.line):
        line, fields["by"] = guard, run.switched_by(one.line)
    elif frozen := _all_frozen(run, one.step):
        yield Finding("no_gradient", Severity.FAILS, frozen[0], frozen[1], one.line, "start_frozen", fields)
        return
    elif source := _differentiates(run, one):
        is_recorded = "create_graph=True" in run.text(source.line)
        case, at = ("start_derivative", one) if is_recorded else ("start_graph", source)
        shown = one.line if at.line != one.line else None
        yield Finding("no_gradient", Severity.FAILS, at.line, at.step, shown, case, fields)
        return
    elif not _requires_grad(run):
        yield Finding("no_gradient", Severity.FAILS, one.line, one.step, None, "start_nothing", fields)
        return
    else:
        return
    case = "start" if fields["by"] else "start_operation"
    yield Finding("no_gradient", Severity.FAILS, line, one.step, one.line, case, fields)


def _differentiates(run: WatchedRun, one: WatchedPass) -> WatchedPass | None:
    """Return the pass whose result another one differentiates, as far as lines tell, None if there's none.

    So it is if the same line recorded derivatives before.
    """
    before = [each for each in reversed(run.passes) if each.number < one.number and not each.failed]
    calls = [side for side in run.expressions(one.line) if isinstance(side, ast.Call)]
    found = (each for each in before if any(is_from(run, side, each.step, one.step) for side in calls))
    again = (each for each in before if each.line == one.line and "create_graph=True" in run.text(one.line))
    return next(found, next(again, None))


def _all_frozen(run: WatchedRun, before: int) -> tuple[int, int] | None:
    """Return the line, and its step, that froze all leaves that there are before a step, if one did."""
    states = run.before(run.steps[before])
    if run.steps[before].hidden or any(state.place[:1] == "l" for state in states.values()):
        return None
    return next((at for at in frozen_by(run) if at[1] < before), None)


def _requires_grad(run: WatchedRun) -> bool:
    """Tell whether a tensor in a run requires a gradient, or may do so where it wasn't watched."""
    has_leaf = any(state.place[:1] == "l" for step in run.steps for state in step.tensors.values())
    return has_leaf or bool(run.trace.nodes) or run.has_gap(-1, len(run.steps))


def _inline(run: WatchedRun, one: WatchedPass) -> Iterator[tuple[int, str]]:
    """Yield the lines that made the tensor where a pass can't start, if they cut something off themselves."""
    made = run.first([one.failed.node or ""] if one.failed else [])
    for line in dict.fromkeys([one.line if made is None else run.steps[made].line, one.line]):
        for by in outs(run, line):
            yield line, by
