"""Predictions (N, 1) meet targets (N,), so every prediction is compared with every target."""

import ast
from collections.abc import Iterator
from itertools import zip_longest

from weaver.recording.lines import path
from weaver.recording.model import Step
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun

Shape = tuple[int, ...]
SAME = {"detach", "float", "double", "half", "data", "clone", "contiguous", "cpu", "exp", "log", "sigmoid"}
VARIABLE = "Variable", "autograd.Variable", "torch.autograd.Variable"


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find losses, and differences of two tensors, whose shapes (N, 1) and (N,) make (N, N).

    One of them is a prediction: a model's result. The other isn't made from it, as in a loss over all pairs.
    """
    seen = set()
    ends = {edge.end for edge in run.trace.edges}
    for act in run.of("loss"):
        input, target = act.shapes
        if is_crossed(input, target) and act.line not in seen:
            seen.add(act.line)
            yield _finding(run, act.line, act.step, input, target)
    for index, step in enumerate(run.steps):
        if step.line in seen:
            continue
        states = run.before(step)
        shapes = {name: state.shape for name, state in states.items()}
        for node in run.expressions(step.line):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Mult | ast.Div | ast.Add):
                left, right = shape(node.left, shapes), shape(node.right, shapes)
                if not left or not right or not is_crossed(left, right) or step.line in seen:
                    continue
                read = [[states[n] for n in _names(part) if n in states] for part in (node.left, node.right)]
                storages = [{state.storage for state in some} for some in read]
                is_model = any(one.place[0] == "n" or one.place in ends for some in read for one in some)
                is_sure = _is_known(node, shapes) or _is_seen(run, step, _broadcast(left, right))
                if is_model and is_sure and not storages[0] & storages[1]:
                    seen.add(step.line)
                    names = {"name": ast.unparse(node.left), "leaf": ast.unparse(node.right)}
                    yield _finding(run, step.line, index, left, right, names)


def _is_known(node: ast.expr, shapes: dict[str, Shape]) -> bool:
    """Tell whether every variable in an expression is a known tensor; calls aren't looked into."""
    if isinstance(node, ast.BinOp):
        return _is_known(node.left, shapes) and _is_known(node.right, shapes)
    return path(node) in shapes or not path(node)


def _is_seen(run: WatchedRun, step: Step, shape: Shape | None) -> bool:
    """Tell whether a step assigns to a variable what has a shape, perhaps with more in front."""
    assigned = (one.targets for one in run.lines.statements(step.line) if isinstance(one, ast.Assign))
    found = (step.tensors.get(path(target) or "") for targets in assigned for target in targets)
    return shape is not None and any(one and one.shape[-len(shape) :] == shape for one in found)


def _names(node: ast.expr) -> Iterator[str]:
    return (name for part in ast.walk(node) if isinstance(part, ast.expr) and (name := path(part)))


def is_crossed(left: Shape, right: Shape) -> bool:
    """Tell whether shapes are (N, 1) and (N,), with more in front of either perhaps."""
    long, short = (left, right) if len(left) > len(right) else (right, left)
    if len(long) == len(short) or not short:
        return False
    is_possible = len(short) == 1 or short[-2] in (1, long[-2])
    return is_possible and long[-1] == 1 and short[-1] == long[-2] > 1


def shape(node: ast.expr, shapes: dict[str, Shape]) -> Shape | None:
    """Return an expression's shape, as far as it's certain if other names than `shapes` has are numbers."""
    if isinstance(node, ast.Constant) or (path(node) and getattr(node, "attr", "") not in SAME):
        return shapes.get(path(node) or "", ())
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
        left, right = shape(node.left, shapes), shape(node.right, shapes)
        return None if left is None or right is None else _broadcast(left, right)
    if isinstance(node, ast.UnaryOp):
        return shape(node.operand, shapes)
    if isinstance(node, ast.Call) and path(node.func) in VARIABLE and len(node.args) == 1:
        return shape(node.args[0], shapes)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        return shape(node.func.value, shapes) if node.func.attr in SAME else None
    if isinstance(node, ast.Attribute) and node.attr in SAME:
        return shape(node.value, shapes)
    return None


def _broadcast(left: Shape, right: Shape) -> Shape | None:
    """Return the shape that two shapes are broadcast to, None if they can't be."""
    found = []
    for one, other in zip_longest(reversed(left), reversed(right), fillvalue=1):
        if one != other and 1 not in (one, other):
            return None
        found.append(other if one == 1 else one)
    return tuple(reversed(found))


def _finding(
    run: WatchedRun, line: int, step: int, left: Shape, right: Shape, names: dict[str, str] | None = None
) -> Finding:
    told = {"left": str(left), "right": str(right), "whole": str(_broadcast(left, right)), **(names or {})}
    caller = run.caller(step) if step >= 0 and run.steps[step].depth else None  # which may pass both sides
    at = None if caller is None else run.steps[caller].line
    return Finding("broadcast", Severity.WRONG, line, step, at, "named" if names else "", told)
