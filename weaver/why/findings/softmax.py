"""The loss takes the softmax, or the sigmoid, of what has been through one, or its logarithm is missing."""

from collections.abc import Iterator

from weaver.recording.model import Node, id_of
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun

# The node of a loss, and of what its input mustn't come from directly -> the case
NO_LOGARITHM = "SoftmaxBackward0", "AddmmBackward0"
WRONG = {
    ("LogSoftmaxBackward0", "SoftmaxBackward0"): "",
    ("BinaryCrossEntropyWithLogitsBackward0", "SigmoidBackward0"): "sigmoid",
    ("LogSoftmaxBackward0", "ReluBackward0"): "relu",
    **{("NllLossBackward0", name): "nll" for name in NO_LOGARITHM},
}
CHOSEN = "CatBackward", "StackBackward", "GatherBackward", "IndexBackward", "MaskedSelectBackward"


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find losses whose input comes straight from what they don't expect."""
    for node in run.nodes.values():
        earlier = _input(run, node)
        case = WRONG.get((node.name, earlier.name)) if earlier else None
        if earlier is None or case is None:
            continue
        at, loss = run.made(earlier), run.made(node)
        if at >= 0 and loss >= 0:
            line = run.steps[loss if case == "nll" else at].line
            fields = {"node": earlier.name} if case == "nll" else {}
            yield Finding("softmax", Severity.WRONG, line, loss, run.steps[loss].line, case, fields)
            return
    yield from _over_batch(run)
    for act in run.of("loss"):  # it's no node of its own
        earlier = run.nodes.get(id_of(run.base(act.places[0]))) if act.name == "kl_div" else None
        if earlier and earlier.name in NO_LOGARITHM:
            fields = {"node": earlier.name}
            yield Finding("softmax", Severity.WRONG, act.line, act.step, None, "kl", fields)
            return


def _over_batch(run: WatchedRun) -> Iterator[Finding]:
    """Find the first log_softmax over dimension 0 whose loss expects the classes in dimension 1."""
    for node in run.nodes.values():
        place = node.next[0] if node.name == "NllLossBackward0" else None
        earlier = run.nodes.get(id_of(place)) if place else None
        if not earlier or earlier.name != "LogSoftmaxBackward0":
            continue
        dimension = next((one.value for one in earlier.saved if one.name == "dim"), None)
        at, loss = run.made(earlier), run.made(node)
        if dimension in (0, -2) and at >= 0 and loss >= 0:
            line = run.steps[loss].line
            yield Finding("softmax", Severity.WRONG, run.steps[at].line, at, line, "batch")
            return


def _input(run: WatchedRun, node: Node) -> Node | None:
    """Return the node that a node's first input comes from.

    In between, its shape was changed at most, or its elements chosen or joined.
    """
    place = node.next[0] if node.next else None
    found = run.nodes.get(id_of(run.base(place))) if place else None
    return _input(run, found) if found and found.name.startswith(CHOSEN) else found
