"""Which moment of the view shows a visit of the engine or a line, counted as `view/replay.js` does."""

from weaver.recording.model import Trace


def visits(trace: Trace) -> dict[tuple[int, int], tuple[int, str]]:
    """Return where the engine's visits are shown: (run, number in it, from 0) -> (moment, name of the node).

    A trace with gaps has none: it doesn't say which visits it left out.
    """
    names = {node.id: node.name for node in trace.nodes}
    found: dict[tuple[int, int], tuple[int, str]] = {}
    moment, seen = 0, dict[int, int]()
    if any(step.gap for step in trace.steps):
        return found
    for step in trace.steps:
        for event in step.events:
            moment += 1
            if event.kind == "visit":
                number = seen[event.run] = seen.get(event.run, -1) + 1
                found[event.run, number] = moment, names.get(event.node or "", "AccumulateGrad")
        moment += 1
    return found


def line(trace: Trace, index: int) -> int:
    """Return the moment in which the line of the step with an index has ended."""
    return sum(bool(step.gap) + len(step.events) + 1 for step in trace.steps[: index + 1])
