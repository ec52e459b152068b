"""Which biases change nothing, as a batch normalization subtracts them again."""

from collections.abc import Iterator

from weaver.recording.model import Node, id_of
from weaver.why.finding import Finding
from weaver.why.findings.terms import firsts
from weaver.why.leaves import told
from weaver.why.run import WatchedRun

BIASES = {"ConvolutionBackward0": 2, "AddmmBackward0": 0}  # at which place of a node's inputs


def find(run: WatchedRun) -> Iterator[Finding]:
    """Say which biases the batch normalization after them cancels, at the first pass that does."""
    told_of = set[str]()
    for one in firsts(run):
        nodes = (run.nodes[id] for id in one.ids() if id in run.nodes)
        biases = {place for node in nodes for place in _canceled(run, node)} & run.stepped - told_of
        told_of |= biases
        if biases:
            yield told(run, one.line, one.step, "normed", biases)


def _canceled(run: WatchedRun, node: Node) -> Iterator[str]:
    """Yield the bias that's added before a batch normalization in training mode, which subtracts it again."""
    statistics = next((one.value for one in node.saved if one.name == "result1"), None)
    source = run.nodes.get(id_of(node.next[0])) if node.next and node.next[0] else None  # else it's reshaped
    if node.name != "NativeBatchNormBackward0" or not source or statistics in (None, []):
        return
    at = BIASES.get(source.name)
    if at is not None and (place := source.next[at : at + 1]) and place[0]:
        yield place[0]
