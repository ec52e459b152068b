"""Gradients are clipped where it's too late, or while they're still scaled."""

from collections.abc import Iterator

from weaver.recording.acts import Act
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedPass, WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find clipping of gradients that a scaler has scaled, and clipping of ones that a step has used."""
    is_scaled, last, seen = False, None, set()
    stepped: Act | None = None
    for one in run.in_order():
        if isinstance(one, WatchedPass):
            stepped = None
            continue
        if one.kind == "scale":
            is_scaled = True
        elif one.kind == "unscale" and not (last and last.line == one.line):
            is_scaled = False
        elif one.kind == "step":
            is_scaled, stepped = False, one
        elif (
            one.kind == "clip"
            and one.line not in seen
            and (is_scaled or (stepped and one.run == stepped.run))
        ):
            seen.add(one.line)
            case = "scaled" if is_scaled else "late"
            at = None if is_scaled or not stepped else stepped.line
            yield Finding("clip", Severity.WRONG, one.line, one.step, at, case, {"name": one.name})
        last = one
