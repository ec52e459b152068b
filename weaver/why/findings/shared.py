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
    """Find the line after which two leaves that an optimizer holds share a storage and all their values."""
    told: set[tuple[str, str]] = set()
    for index, step in enumerate(run.steps if run.stepped else ()):
        first: dict[int, TensorState] = {}
        if step.tensors == run.before(step):
            continue
        for state in step.tensors.values():
            if state.place not in run.stepped or state.storage is None:
                continue
            other = first.setdefault(state.storage, state)
            pair = other.place, state.place
            # parts of one buffer have other values
            if other.place != state.place and (other.shape, other.value) == (state.shape, state.value):
                if pair not in told:
                    fields = {"name": run.names[state.place], "leaf": run.names[other.place]}
                    yield Finding("shared", Severity.WRONG, step.line, index, None, "", fields)
                told |= {pair, pair[::-1]}
