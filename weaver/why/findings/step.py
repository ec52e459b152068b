"""An optimizer steps without gradients, or never."""

import ast
import re
from collections.abc import Iterator

from weaver.recording.acts import USED, Act
from weaver.recording.lines import path
from weaver.recording.repeated import has_called
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedPass, WatchedRun

MANY = 3  # passes whose gradients nobody used


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find steps all of whose gradients are empty, and optimizers that never step."""
    steps: dict[int, list[tuple[Act, Act | None]]] = {}  # optimizer -> its steps, and what had emptied all
    zeroed: dict[str, Act] = {}  # leaf -> what emptied its gradient last
    for one in run.in_order():
        if isinstance(one, WatchedPass):
            for id in one.ids():
                zeroed.pop(id, None)
        elif one is None:
            zeroed.clear()
        elif one.kind == "zero":
            zeroed |= {leaf: one for leaf in one.places}
        elif one.kind == "step":
            emptied = zeroed.get(one.places[0]) if one.places else None
            steps.setdefault(one.of, []).append((one, emptied))
    for found in steps.values():
        is_empty = [bool(act.places) and not {*act.grads} & USED for act, _ in found]
        is_used = any({*act.places} & run.touched for act, _ in found)  # else it only shows a schedule
        if all(is_empty) and is_used and (run.passes or len(found) > 1):
            act, emptied = found[0]
            passes = [one for one in run.passes if one.number == act.run - 1]
            if emptied and passes and emptied.run == act.run and not run.has_gap(passes[0].step, act.step):
                yield Finding("step", Severity.WRONG, emptied.line, act.step, act.line, "emptied")
            elif not act.run and not run.has_gap(-1, act.step):
                yield Finding("step", Severity.WRONG, act.line, act.step, None, "early")
        yield from [*_replaced(run, [act for act, _ in found])][:1]
    yield from [*_thrown_away(run)] or _thrown_at_a_distance(run)
    yield from _scheduled(run)
    yield from _never(run, {place for found in steps.values() for act, _ in found for place in act.places})


def _replaced(run: WatchedRun, steps: list[Act]) -> Iterator[Finding]:
    """Find steps whose parameters were all created after the last backward pass."""
    passes = {one.number: one.step for one in run.passes}
    for act in steps:
        start, first = passes.get(act.run - 1, -1), run.first(act.places)
        between = run.steps[start : act.step]
        if start < 0 or first is None or {*act.grads} != {"none"} or any(step.hidden for step in between):
            continue
        in_gap = any(run.steps[run.seen[place]].gap for place in act.places if place in run.seen)
        if start < first < act.step and not in_gap:  # there it may have been before
            line = run.steps[first].line
            yield Finding("step", Severity.NOTE, line, first, act.line, "replaced", {"by": act.name})


def _thrown_away(run: WatchedRun) -> Iterator[Finding]:
    """Find a line that again and again resets gradients which no step has used, not in a closure."""
    waiting: list[tuple[WatchedPass, set[str]]] = []  # passes, and their leaves with gradients of theirs
    wasted: dict[int, list[tuple[WatchedPass, Act]]] = {}
    used = 0
    for one in run.in_order():
        if isinstance(one, WatchedPass):
            leaves = {*one.given()}
            waiting += [(one, leaves)] if leaves else []
        elif one is None:
            for each, act in ((each, _next_reset(run, each)) for each, _ in waiting):
                if act:
                    wasted.setdefault(act.line, []).append((each, act))
            waiting.clear()
        elif one.kind == "step":
            kept = [(each, leaves) for each, leaves in waiting if not leaves & {*one.places}]
            used += len(waiting) - len(kept)
            waiting = kept
        elif one.kind == "zero":
            for _, leaves in waiting:
                leaves -= {*one.places}
            wasted.setdefault(one.line, []).extend((each, one) for each, leaves in waiting if not leaves)
            waiting = [(each, leaves) for each, leaves in waiting if leaves]
    held, read = run.stepped - run.in_closures, _read(run)  # passes within a step are a closure's
    for line, several in wasted.items() if used and not run.of("scale") else ():
        several = [(each, act) for each, act in several if each.ids() & held and each.line not in read]
        if len(several) >= max(MANY, used):
            first, act = several[0]
            fields = {"n": str(len(several)), "whole": str(len(several) + used)}
            yield Finding("step", Severity.WRONG, line, act.step, first.line, "thrown", fields)


def _thrown_at_a_distance(run: WatchedRun) -> Iterator[Finding]:
    """Find the same where not all is watched: one pass between two resets, and no step of any optimizer."""
    held, read = run.stepped - run.in_closures, _read(run)  # passes within a step are a closure's
    passes = {one.number: one for one in run.passes if one.ids() & held and one.line not in read}
    last: dict[int, Act] = {}
    found: dict[int, list[tuple[WatchedPass, Act, bool]]] = {}
    for act in run.of("zero"):
        before, one = last.get(act.of), passes.get(act.run - 1)
        last[act.of] = act
        is_next = before and one and before.run == one.number and before.places == act.places
        if before and one and is_next and one.ids() & held & {*act.places}:
            found.setdefault(act.line, []).append((one, act, before.steps == act.steps))
    for line, several in found.items() if not run.of("scale") else ():
        wasted = [(one, act) for one, act, is_wasted in several if is_wasted]
        used = len(several) - len(wasted)
        is_taken = any(act.steps for act in run.of("optimizer"))
        if is_taken and len(wasted) >= max(MANY, used):
            fields = {"least": str(len(wasted)), "whole": str(len(passes))}
            at = next((act.step for _, act in wasted if act.step >= 0), wasted[0][0].step)
            yield Finding("step", Severity.WRONG, line, at, wasted[0][0].line, "thrown", fields)


def _next_reset(run: WatchedRun, one: WatchedPass) -> Act | None:
    """Return what reset all gradients of a pass in its own iteration, if another one follows, and no step."""
    end = run.end(one.step)
    rest = run.steps[end + 1 : end + 2]
    goes_on = bool(rest and one.loops) and rest[0].loops[: len(one.loops) - 1] == one.loops[:-1]
    if not goes_on or run.has_gap(one.step, end) or any(one.step < act.step <= end for act in run.of("step")):
        return None
    resets = (act for act in run.of("zero") if act.run == one.number and act.loops == one.loops)
    return next((act for act in resets if {*one.given()} <= {*act.places}), None)


def _read(run: WatchedRun) -> set[int]:
    """Return the lines of passes after which the program itself reads gradients, before the next pass."""
    before = ([one for one in run.passes if one.step < at] for at, _ in run.readings)
    return {passes[-1].line for passes in before if passes}


def _never(run: WatchedRun, stepped: set[str]) -> Iterator[Finding]:
    """Find optimizers whose leaves get gradients from one line, again and again, and that never step."""
    for act in run.of("optimizer"):
        if act.steps:  # it has, where nobody watched
            continue
        later = [one for one in run.passes if one.number >= act.run and one.ids() & {*act.places}]
        if len(later) > 1 and len({one.line for one in later}) == 1 and not stepped & {*act.places}:
            line = _condition(run) or act.line
            yield Finding(
                "step", Severity.WRONG, line, later[0].step, later[0].line, "never", {"name": act.name}
            )


def _scheduled(run: WatchedRun) -> Iterator[Finding]:
    """Find a scheduler that goes on to its second rate before the optimizer has stepped at all."""
    first = min((act.step for act in run.of("step") if act.step >= 0), default=-1)
    for line, index in run.first_steps.items():
        calls = (one for one in run.expressions(line) if isinstance(one, ast.Call))
        names = [path(one.func) or "" for one in calls]
        is_scheduler = any(re.search(r"sched\w*\.step$", name, re.IGNORECASE) for name in names)
        before = (step.gap for step in run.steps[: index + 1] if step.gap)
        is_scheduler = is_scheduler and not has_called(run.steps, index)  # one of the program's own may wait
        if is_scheduler and index < first and not any(gap.runs for gap in before):
            yield Finding("step", Severity.NOTE, line, index, run.steps[first].line, "scheduled")
            return


def _condition(run: WatchedRun) -> int | None:
    """Return the line of an `if` that ran and whose `optimizer.step()` didn't, or of a step without `()`."""
    ran = {step.line for step in run.steps}
    for one in run.lines.every():
        bare = one.value if isinstance(one, ast.Expr) else None
        if isinstance(bare, ast.Attribute) and bare.attr == "step" and one.lineno in ran:  # it isn't called
            return one.lineno
        if isinstance(one, ast.If) and one.lineno in ran:
            calls = [
                part for part in ast.walk(one) if isinstance(part, ast.Attribute) and part.attr == "step"
            ]
            if any(call.lineno not in ran for call in calls):
                return one.lineno
    return None
