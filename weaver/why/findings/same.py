"""A difference of a tensor and itself: one side was meant to be a copy."""

import ast
from collections import Counter
from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.recording.model import Step
from weaver.why.finding import Finding, Severity
from weaver.why.findings.alias import container, read_or_assigned
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find differences of a tensor and itself, again and again: one side was meant to be a copy."""
    found: dict[int, list[tuple[int, str]]] = {}  # line -> the steps, and the places
    differences = Counter[int]()  # that a line computed
    for node in run.nodes.values():
        made = run.made(node) if node.name.startswith("Sub") and len(node.next) == 2 else -1
        if made >= 0:
            differences[line := run.steps[made].line] += 1
            leaf = next(filter(None, node.next), "")
            is_alone = None in node.next
            if leaf and (_is_kept(run, made, leaf) if is_alone else node.next[0] == node.next[1]):
                found.setdefault(line, []).append((made, leaf))
    for line, several in _values_apart(run).items():
        found.setdefault(line, several)
    for line, several in found.items():
        if len(several) > 1:
            case = "same" if len(several) >= differences[line] else "same_some"
            fields = run.named({place for _, place in several})
            fields |= {"n": str(len(several)), "whole": str(differences[line])} if case != "same" else {}
            yield Finding("alias", Severity.WRONG, line, min(several)[0], None, case, fields)


def _is_kept(run: WatchedRun, index: int, leaf: str) -> bool:
    """Tell whether the line of a step reads from a container what shares the storage of a trained leaf."""
    step, before = run.steps[index], run.before(run.steps[index])
    storage = next((one.storage for one in before.values() if one.place == leaf), None)
    if leaf not in run.trained or storage is None:
        return False
    read = read_or_assigned(run, step, ast.Load)
    same = (name for name, one in before.items() if one.storage == storage and one.place[:1] == "p")
    return any(container(name) in read for name in same)


def _values_apart(run: WatchedRun) -> dict[int, list[tuple[int, str]]]:
    """Return the lines where `w.data - w_t.data` is always of one parameter: their steps, and the places."""
    pairs = {
        line: (left, right)
        for line in run.first_steps
        for node in run.expressions(line)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
        if (left := _values_of(node.left)) and (right := _values_of(node.right)) and left != right
    }
    found: dict[int, list[tuple[int, str]]] = {line: [] for line in pairs}
    for index, step in enumerate(run.steps):
        if step.line in pairs:
            left, right = (_place(step, name) for name in pairs[step.line])
            found[step.line].append((index, left if left == right and left[:1] in ("l", "p") else ""))
    return {line: several for line, several in found.items() if all(place for _, place in several)}


def _place(step: Step, name: str) -> str:
    return step.tensors[name].place if name in step.tensors else ""


def _values_of(node: ast.AST) -> str | None:
    """Return the name of the tensor whose values `w.data` and `w.detach()` are, None if it's another term."""
    called = node.func if isinstance(node, ast.Call) else node
    is_cut = isinstance(called, ast.Attribute) and called.attr == ("data" if called is node else "detach")
    return path(called.value) if isinstance(called, ast.Attribute) and is_cut else None
