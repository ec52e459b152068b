"""Which gradients a line changes by hand, and which count for nothing as a normalization follows."""

import re
from collections.abc import Iterator

from weaver.recording.model import Node, id_of
from weaver.why.finding import Finding
from weaver.why.findings.terms import firsts
from weaver.why.leaves import told
from weaver.why.run import WatchedRun

ZEROS = re.compile(r"=\s*0(\.0*)?(?![.\d])|zero|mask")  # in a line that makes some elements 0
BIASES = {"ConvolutionBackward0": 2, "AddmmBackward0": 0}  # at which place of a node's inputs
OWN = {"zero", "step", "clip", "scale", "unscale"}  # acts that write gradients on their own


def find(run: WatchedRun) -> Iterator[Finding]:
    """Say which gradients lines change after a pass, and which biases a batch normalization cancels."""
    for line, (index, places) in _edited(run).items():
        holders = [act.name for act in run.of("optimizer") if places & {*act.places} and act.name != "SGD"]
        has_zeros = bool(ZEROS.search(run.text(line))) and bool(holders)
        case, by = ("edited_zero", holders[0]) if has_zeros else ("edited", "")
        yield told(run, line, index, case, places, by)
    for one in firsts(run):
        nodes = (run.nodes[id] for id in one.ids() if id in run.nodes)
        if biases := {place for node in nodes for place in _canceled(run, node)} & run.stepped:
            yield told(run, one.line, one.step, "normed", biases)


def _edited(run: WatchedRun) -> dict[int, tuple[int, set[str]]]:
    """Return the parameters whose gradients a line changes that's no backward() and no part of torch's."""
    own = {one.step for one in run.passes} | {act.step for act in run.acts if act.kind in OWN}
    found: dict[int, tuple[int, set[str]]] = {}
    for index, step in enumerate(run.steps):
        is_call = index > 0 and run.steps[index - 1].depth > step.depth  # of which a line inside may write
        if step.gap or is_call or index in own or "grad" not in run.text(step.line):
            continue
        before = run.before(step)
        for name, state in step.tensors.items():
            old = before.get(name) if name.endswith(".grad") else state
            leaf = step.tensors.get(name.removesuffix(".grad"))
            if not old or not leaf or leaf.place not in run.stepped or state.value is None:
                continue
            if old is not state and (old.version, old.value) != (state.version, state.value):
                found.setdefault(step.line, (index, set()))[1].add(leaf.place)
    return found


def _canceled(run: WatchedRun, node: Node) -> Iterator[str]:
    """Yield the bias that's added before a batch normalization in training mode, which subtracts it again."""
    statistics = next((one.value for one in node.saved if one.name == "result1"), None)
    source = run.nodes.get(id_of(node.next[0])) if node.next and node.next[0] else None  # else it's reshaped
    if node.name != "NativeBatchNormBackward0" or not source or statistics in (None, []):
        return
    at = BIASES.get(source.name)
    if at is not None and (place := source.next[at : at + 1]) and place[0]:
        yield place[0]
