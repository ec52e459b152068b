"""Gradients are clipped too late, or while they're still scaled, or there are none."""

from collections.abc import Iterator

from weaver.recording.acts import Act
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedPass, WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find clipping of gradients that a scaler has scaled, of ones that a step has used, and of none."""
    empty = [*_of_nothing(run)]
    yield from empty
    is_scaled, last, seen = False, None, {one.line for one in empty}
    used: dict[str, Act] = {}  # leaf -> the step that has used its gradient
    for one in run.in_order():
        if one is None:  # what comes after it has its own passes, and its own scale
            is_scaled, last = False, None
        if one is None or isinstance(one, WatchedPass):
            used.clear()
            continue
        if one.kind == "scale":
            is_scaled = True
        elif one.kind == "unscale" and not (last and last.line == one.line):
            is_scaled = False
        elif one.kind == "step":
            is_scaled = False
            used |= dict.fromkeys(one.places, one)
        elif one.kind == "clip" and one.line not in seen:
            late = next((used[place] for place in one.places if place in used), None)
            if is_scaled or late:
                seen.add(one.line)
                case, at = ("scaled", None) if is_scaled or not late else ("late", late.line)
                yield Finding("clip", Severity.WRONG, one.line, one.step, at, case, {"name": one.name})
        last = one


def _of_nothing(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that clip again and again, and never anything that has a gradient."""
    calls: dict[int, list[Act]] = {}
    for act in run.of("clip"):
        calls.setdefault(act.line, []).append(act)
    for line, acts in calls.items():
        has_none = all(act.grads and {*act.grads} == {"none"} for act in acts)
        is_empty = all(act.on for act in acts[1:])  # what one call goes through is gone for the others
        if (has_none or is_empty) and len(acts) > 1 and run.passes:
            case = "empty" if is_empty else "nothing"
            yield Finding("clip", Severity.WRONG, line, acts[0].step, None, case, {"name": acts[0].name})
