"""Gradients add up over steps, because nothing empties them."""

import re
from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedPass, WatchedRun, is_zero

DECAY = re.compile(r"\.grad(\.data)?(\.(mul|div)_|\s*[*/]=)")  # momentum by hand


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find a step with a gradient that an earlier step of the same optimizer had already used."""
    if any(DECAY.search(run.text(step.line)) for step in run.steps):
        return
    held: dict[str, list[WatchedPass]] = {}  # leaf -> the passes whose gradients are in its `.grad`
    used: dict[tuple[int, str], set[int]] = {}  # optimizer, leaf -> the passes that a step has used
    hits: dict[tuple[int, int], tuple[list[str], int]] = {}  # lines -> leaves, the step
    for one in run.in_order():
        if isinstance(one, WatchedPass):
            for visit in one.visits:
                if visit.node and visit.node[0] == "l":
                    kept = held.get(visit.node, [])
                    is_new = visit.before is None or is_zero(visit.before)
                    if is_new or (kept and run.has_gap(kept[-1].step, one.step)):
                        kept = []
                    held[visit.node] = [*kept, one] if visit.after is not None else []
        elif one and one.kind == "step" and one.step >= 0:
            for place in one.places:
                passes, known = held.get(place, []), used.setdefault((one.of, place), set())
                passes = passes if passes and not run.has_gap(passes[-1].step, one.step) else []
                if len(passes) > 1 and passes[-1].number not in known and known & {p.number for p in passes}:
                    places, _ = hits.setdefault((passes[-1].line, one.line), ([], one.step))
                    places.append(place)
                known |= {each.number for each in passes}
    for (line, at), (places, step) in hits.items():
        other = _emptied_instead(run, line, {*places})
        fields = run.named(places)
        case = "other" * bool(other)
        yield Finding("accumulates", Severity.WRONG, other or line, step, line if other else at, case, fields)


def _emptied_instead(run: WatchedRun, line: int, leaves: set[str]) -> int | None:
    """Return the line that emptied, right before a pass, only gradients that the pass doesn't reach."""
    for one in run.passes:
        zeros = [act for act in run.of("zero") if act.run == one.number and act.loops == one.loops]
        if one.line == line and zeros and not {*zeros[-1].places} & (one.ids() | leaves):
            return zeros[-1].line
    return None
