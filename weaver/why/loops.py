"""What a loop did in iterations that nobody watched."""

import ast
import re

from weaver.recording.lines import path
from weaver.recording.model import TensorState
from weaver.why.names import variable
from weaver.why.run import WatchedRun

SWITCHES = re.compile(r"requires_grad")
WRITES = re.compile(r"_\(|\.data\b.*=|\]\s*=[^=]|load_state_dict")  # in a line
States = dict[str, TensorState]


def is_partial(run: WatchedRun, line: int, step: int) -> bool:
    """Tell whether some runs of a line, in a loop of its own function, may be missing after a step."""
    is_looped = bool(run.lines.loops_around(line)) and bool(run.steps[step].loops)
    return is_looped and run.has_gap(step, run.loop_end(step) + 1)


def frozen_until(run: WatchedRun, line: int, index: int) -> set[str]:
    """Return what a line froze in the iterations of its loop that nobody watched.

    That's what required a gradient before it and doesn't after the loop.
    """
    before, now, owner = _around(run, line, index, SWITCHES)
    held = (one.place for name, one in before.items() if name.startswith(owner))
    leaves = {place[1:] for place in held if place[:1] == "l"}
    return {one.place for one in now.values() if one.place[:1] == "p" and one.place[1:] in leaves}


def written_until(run: WatchedRun, line: int, index: int, places: set[str]) -> set[str]:
    """Return what a line wrote in the iterations of its loop that nobody watched, as it wrote to some places.

    That's what has other contents after the loop, of the same variables.
    """
    before, now, _ = _around(run, line, index, WRITES)
    roots = {variable(name) for name, one in before.items() if one.place in places}
    same = ((one, now[name]) for name, one in before.items() if variable(name) in roots and name in now)
    changed = {new.place for old, new in same if (old.version, old.value) != (new.version, new.value)}
    return {place for place in changed if run.names.get(place, "").rpartition(".")[2] in run.kinds}


def _around(
    run: WatchedRun, line: int, index: int, acts: re.Pattern[str]
) -> tuple[States, States, str]:
    """Return the states before a step's line and after its loop, if some iterations may be missing.

    They're empty if the next statement doesn't come then, or if several lines of the loop `acts` so. The
    third is what the loop goes through, such as `net.`, if the function ends with it.
    """
    depth = run.steps[index].depth
    later = range(run.loop_end(index) + 1, len(run.steps)) if is_partial(run, line, index) else ()
    after = next((at for at in later if run.steps[at].depth <= depth), None)
    if after is None:
        return {}, {}, ""
    first, last = run.lines.loops_around(line)[-1]
    is_last = run.steps[after].depth < depth  # of its function: what comes then is the line that called it
    functions = (one for one in run.lines.every() if isinstance(one, ast.FunctionDef))
    ends = [end + 1 for one in functions if one.lineno <= line <= (end := one.end_lineno or 0)]
    end = min(ends, default=0) if is_last else run.steps[after].line
    inside = {one.lineno for one in run.lines.every() if first < one.lineno <= last}
    same = [at for at in inside if acts.search(run.text(at))]
    between = (one.lineno for one in run.lines.every() if last < one.lineno < end)
    outer = run.steps[index].loops[:-1]  # else it isn't what comes right after the loop
    here, then = run.steps[index], run.steps[after]
    is_next = then.function == here.function and then.loops[: len(outer)] == outer
    is_next = is_next and not any(number for _, number in then.loops[len(outer) :])
    is_other = not is_last and not is_next
    if end <= last or is_other or len(same) > 1 or any(between):  # another line may have done it
        return {}, {}, ""
    now = then.tensors if is_last else run.before(then) or then.tensors
    return run.before(here), now, _gone_through(run, first) if is_last else ""


def _gone_through(run: WatchedRun, line: int) -> str:
    """Return what a loop over `net.parameters()` goes through: `net.`; `?` for another loop."""
    loops = (one for one in run.lines.statements(line) if isinstance(one, ast.For))
    calls = (one.iter.func for one in loops if isinstance(one.iter, ast.Call))
    owners = (path(one.value) for one in calls if isinstance(one, ast.Attribute))
    return next((f"{owner}." for owner in owners if owner), "?")
