"""Which biases change nothing, as a batch normalization subtracts them again or a softmax cancels them."""

from collections.abc import Iterator
from math import inf

from weaver.recording.model import Node, id_of
from weaver.why.finding import Finding
from weaver.why.findings.terms import firsts
from weaver.why.leaves import told
from weaver.why.run import WatchedPass, WatchedRun
from weaver.why.values import largest

BIASES = {"ConvolutionBackward0": 2, "AddmmBackward0": 0}  # at which place of a node's inputs
# What's added is a bias as well, if it's a parameter: its gradient is the sum of what arrives
ADDED = {name: [at] for name, at in BIASES.items()}
ADDED |= {"AddBackward0": [0, 1], "NativeLayerNormBackward0": [2]}
ROUNDING = 1e-5  # of the largest element that arrives: a sum that's never larger has lost all its digits
FEW = 2  # passes


def find(run: WatchedRun) -> Iterator[Finding]:
    """Say which biases change nothing: at the first pass with the batch normalization that cancels them.

    For other biases, such as an attention's keys, every pass has to agree.
    """
    told_of = set[str]()
    for one in firsts(run):
        nodes = (run.nodes[id] for id in one.ids() if id in run.nodes)
        biases = {place for node in nodes for place in _canceled(run, node)} & run.stepped - told_of
        told_of |= biases
        if biases:
            yield told(run, one.line, one.step, "normed", biases)
    yield from _rounded(run, told_of)


def _rounded(run: WatchedRun, told_of: set[str]) -> Iterator[Finding]:
    """Say for which other biases each pass leaves only rounding error, at the first that reaches them."""
    sums: dict[str, list[bool]] = {}  # whether it's rounding error, in each pass
    first: dict[int, tuple[int, set[str]]] = {}
    for one in run.passes:
        for place, is_rounding in _sums(run, one).items():
            if place not in sums:
                first.setdefault(one.line, (one.step, set()))[1].add(place)
            sums.setdefault(place, []).append(is_rounding)
    canceled = {place for place, every in sums.items() if all(every) and len(every) >= FEW} - told_of
    for line, (step, places) in first.items():
        if places & canceled:
            yield told(run, line, step, "rounded", places & canceled)


def _sums(run: WatchedRun, one: WatchedPass) -> dict[str, bool]:
    """Return the biases that a pass reached, each with whether what's added up for it is rounding error."""
    visits = {visit.node: visit for visit in one.visits if visit.node and visit.received}
    found: dict[str, bool] = {}
    for id, visit in visits.items():
        node = run.nodes.get(id)
        for at in ADDED.get(node.name, ()) if node else ():
            place = node.next[at] if node and at < len(node.next) else None
            if place in run.stepped and (leaf := visits.get(place)):
                left, arrived = (largest((one.received or [None])[0]) for one in (leaf, visit))
                is_rounding = 0 < left < ROUNDING * arrived < inf
                found[place] = found.get(place, True) and is_rounding
    return found


def _canceled(run: WatchedRun, node: Node) -> Iterator[str]:
    """Yield the bias that's added before a batch normalization in training mode, which subtracts it again."""
    statistics = next((one.value for one in node.saved if one.name == "result1"), None)
    source = run.nodes.get(id_of(node.next[0])) if node.next and node.next[0] else None  # else it's reshaped
    if node.name != "NativeBatchNormBackward0" or not source or statistics in (None, []):
        return
    while source and source.name.startswith("MaxPool") and source.next[0]:  # which passes a shift on
        source = run.nodes.get(id_of(source.next[0]))
    at = BIASES.get(source.name) if source else None
    if source and at is not None and (place := source.next[at : at + 1]) and place[0]:
        yield place[0]
