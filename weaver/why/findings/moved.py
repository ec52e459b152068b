"""Gradients that were computed before their leaves changed, and that a later pass adds to."""

from collections.abc import Iterator

from weaver.recording.acts import USED, Act
from weaver.why.consumers import lines_of
from weaver.why.finding import Finding, Severity
from weaver.why.gradients import is_first, resetting_call
from weaver.why.run import WatchedPass, WatchedRun


def changed(run: WatchedRun) -> Iterator[Finding]:
    """Find passes that add to gradients computed before their leaves changed, other than by a max_norm."""
    found: dict[tuple[int, int], tuple[list[str], WatchedPass, Act]] = {}  # lines -> leaves, pass, step
    last: dict[str, WatchedPass] = {}
    lookups = lines_of(run, (node for node in run.trace.nodes if node.name == "EmbeddingBackward0"))
    after: dict[int, list[Act]] = {}  # passes that had begun -> what used or emptied gradients then
    for each in (act for act in run.acts if act.kind in ("step", "zero")):
        after.setdefault(each.run, []).append(each)
    for one in run.passes:
        for visit in one.visits:
            if not visit.node or visit.node[0] != "l":
                continue
            earlier, last[visit.node] = last.get(visit.node), one
            if not earlier or earlier.number != one.number - 1 or is_first(visit):
                continue
            act = next((act for act in after.get(one.number + 1, ()) if visit.node in act.places), None)
            if not act or act.kind != "step" or act.grads[act.places.index(visit.node)] not in USED:
                continue
            if (line := _writer(run, visit.node, earlier, one)) and line not in lookups:
                found.setdefault((one.line, line), ([], one, act))[0].append(visit.node)
    for (line, at), (places, one, act) in found.items():
        fields = run.named(places) | {"call": resetting_call(run, act.line)}
        yield Finding("accumulates", Severity.WRONG, line, one.step, at, "moved", fields)


def _writer(run: WatchedRun, place: str, earlier: WatchedPass, later: WatchedPass) -> int | None:
    """Return the line that wrote to a leaf between two passes, or that called it; None if none did."""
    version: int | None = None
    for step in run.steps[earlier.step : later.step + 1]:
        now = next((one.version for one in step.tensors.values() if one.place == place), None)
        if None not in (now, version) and now != version:
            return step.line
        version = version if now is None else now
    return None
