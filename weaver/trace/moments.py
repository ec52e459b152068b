"""Which moment of the view a step of a trace is: the same count as that of `view/replay.js`."""

from weaver.trace.model import Trace


def visits(trace: Trace) -> dict[tuple[int, int], tuple[int, str]]:
    """Return where the engine's visits are shown: (run, number in it, from 0) -> (moment, name of the node).

    Of a trace with gaps it cannot be told which visits are left, so there are none.
    """
    names = {node.id: node.name for node in trace.nodes}
    found, moment, seen = {}, 0, {}
    if any(step.gap for step in trace.steps):
        return found
    for step in trace.steps:
        for event in step.events:
            moment += 1
            if event.kind == "visit":
                number = seen[event.run] = seen.get(event.run, -1) + 1
                found[event.run, number] = moment, names.get(event.node, "AccumulateGrad")
        moment += 1
    return found
