"""Two parameters are the same memory, or two modules of a list the same module."""

import ast
from collections.abc import Iterator

from weaver.recording.model import TensorState
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find parameters on one storage, and lists that repeat a module."""
    yield from _storages(run)
    yield from _repeated(run)


def _repeated(run: WatchedRun) -> Iterator[Finding]:
    """Find lines such as `[nn.Linear(4, 4)] * 3`, where a leaf comes to be."""
    for line, index in run.first_steps.items():
        leaves = {one.place for one in run.steps[index].tensors.values() if one.place[:1] == "l"}
        for node in run.expressions(line):
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
                continue
            lists = [side for side in (node.left, node.right) if isinstance(side, ast.List)]
            made = [one for side in lists for one in side.elts if isinstance(one, ast.Call)]
            if made and any(run.seen[place] == index for place in leaves):
                fields = {"call": ast.unparse(made[0])}
                yield Finding("shared", Severity.WRONG, line, index, None, "repeated", fields)


def _storages(run: WatchedRun) -> Iterator[Finding]:
    """Find lines after which parameters share storages and all values with those that optimizers step."""
    told: set[str] = set()
    found: dict[int, tuple[int, dict[str, str]]] = {}  # line -> the step, leaves and the others
    for index, step in enumerate(run.steps if run.stepped else ()):
        first: dict[int, TensorState] = {}
        if step.tensors == run.before(step):
            continue
        for state in sorted(step.tensors.values(), key=lambda one: one.place not in run.stepped):
            is_stepped = state.place in run.stepped
            kind = run.names.get(state.place, "").rpartition(".")[2]  # of another module's: `weight`
            is_part = any("." in name for name in run.aliases(state.place))  # else it's a function's variable
            is_leaf = state.place[:1] in ("l", "p") and state.storage in first
            is_other = is_leaf and is_part and kind in run.kinds
            if state.storage is None or not (is_stepped or is_other):
                continue
            other = first.setdefault(state.storage, state)
            # parts of one buffer have other values
            if other.place == state.place or (other.shape, other.value) != (state.shape, state.value):
                continue
            both = other.place, state.place
            leaf, fresh = sorted(both) if is_stepped else both
            if fresh[1:] not in told and not step.gap:  # else it isn't known which line did that
                found.setdefault(step.line, (index, {}))[1][fresh] = leaf
            told.add(fresh[1:])
    held = [{*act.places} for act in run.of("step")]
    lasting = _lasting(run) if found else set()
    lost = run.given - run.stepped
    for line, (index, every) in found.items():
        # A parameter that's replaced by what shares its storage, as spectral normalization does, is gone
        pairs = {one: other for one, other in every.items() if {one[1:], other[1:]} <= lasting}
        twice = {place for place, other in pairs.items() if any({place, other} <= one for one in held)}
        unused = {place: {place, other} & lost for place, other in pairs.items()}
        alone = {place for place, several in unused.items() if len(several) == 1} - twice
        for case, places in ("", twice), ("alone", alone), ("apart", pairs.keys() - twice - alone):
            if places:
                idle = set().union(*(unused[one] for one in places))
                fields = run.named(places) | {"leaf": run.named({pairs[one] for one in places})["name"]}
                fields |= {"call": run.named(idle)["name"]} if case == "alone" else {}
                is_meant = bool(case) and "Parameter(" in run.text(line)  # a new one, perhaps to go on with
                severity = Severity.NOTE if is_meant else Severity.WRONG
                yield Finding("shared", severity, line, index, None, case, fields)


def _lasting(run: WatchedRun) -> set[str]:
    """Return the numbers of the tensors that are there once an optimizer steps."""
    start = next((act.step for act in run.of("step") if act.step >= 0), len(run.steps))
    states = (state for step in run.steps[start:] for state in step.tensors.values())
    return {place[1:] for place in run.stepped} | {state.place[1:] for state in states}
