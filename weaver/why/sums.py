"""What a line adds up for a loss."""

import ast
from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.recording.model import Node, TensorState, id_of
from weaver.why.run import WatchedPass, WatchedRun

WHOLE = "Mean", "Sum", "View", "Squeeze", "Unsqueeze", "Reshape"  # nodes of a loss that's added up before
MEANS = "mean", "sum"
SIDES = {ast.Add: "Add", ast.Sub: "Sub", ast.Mult: "Mul", ast.Div: "Div"}
NUMERIC = {"float", "int", "len", "sum", "max", "min", "item"}  # functions that may return a number

States = dict[str, TensorState]


def sums(run: WatchedRun, one: WatchedPass) -> Iterator[tuple[int, Node]]:
    """Yield the steps that add up a loss, each with the last node that it made.

    What's multiplied with something that has a graph is a weight of the loss, which may well be a constant.
    """
    tops: dict[int, Node] = {}
    todo = [id_of(place) for place in one.roots]
    while todo:
        node = run.nodes.get(todo.pop())
        if node and node.name.startswith((*SIDES.values(), "Neg")):
            tops.setdefault(run.made(node), node)
            inputs = [id_of(place) for place in node.next if place]
            todo += inputs if node.name.startswith(("Add", "Sub")) or len(inputs) == 1 else []
        elif node and node.name.startswith(WHOLE):
            todo += [id_of(place) for place in node.next if place]
    return ((index, node) for index, node in tops.items() if index >= 0)


def constants(run: WatchedRun, index: int, node: Node) -> Iterator[ast.expr | None]:
    """Yield what a step adds that has no graph, None if that's not sure."""
    known = run.before(run.steps[index])
    for statement in run.lines.statements(run.steps[index].line):
        if isinstance(statement, ast.AugAssign):
            yield from _plain(run, ast.BinOp(statement.target, statement.op, statement.value), node, known)
        elif isinstance(statement, ast.Assign | ast.Return | ast.AnnAssign) and statement.value:
            yield from _plain(run, statement.value, node, known)
        elif isinstance(statement, ast.Expr) and (summed := _summed(statement.value)):
            yield from _plain(run, summed, node, known)


def _summed(call: ast.expr) -> ast.expr | None:
    """Return what a call of `backward()` starts from, None for another expression."""
    function = call.func if isinstance(call, ast.Call) else None
    return function.value if isinstance(function, ast.Attribute) and function.attr == "backward" else None


def _plain(run: WatchedRun, whole: ast.expr, node: Node | None, known: States) -> Iterator[ast.expr | None]:
    """Yield the parts that a sum adds and that have no graph, as the node of its result tells.

    It yields None where that isn't sure, as no state has the names.
    """
    if isinstance(whole, ast.UnaryOp):
        yield from _plain(run, whole.operand, node, known)
    while isinstance(whole, ast.Call) and isinstance(whole.func, ast.Attribute) and whole.func.attr in MEANS:
        whole = whole.func.value
    if not node or not isinstance(whole, ast.BinOp) or type(whole.op) not in SIDES:
        return
    operators = (part.op for part in ast.walk(whole) if isinstance(part, ast.BinOp))
    if not any(isinstance(one, ast.Add | ast.Sub) for one in operators):  # it adds up nothing
        return
    if (is_left := _is_tensor(whole.left, known)) is None:
        yield None
        return
    # What a number on the left is added to comes first
    sides = [whole.left, whole.right] if is_left else [whole.right, whole.left]
    if node.name.startswith(SIDES[type(whole.op)]) and len(node.next) == 2:
        for side, place in zip(sides, node.next, strict=True):
            if place:
                yield from _plain(run, side, run.nodes.get(id_of(place)), known)
            elif isinstance(whole.op, ast.Add | ast.Sub):
                yield from _addends(side)


def _addends(side: ast.expr) -> Iterator[ast.expr]:
    """Yield what an expression adds up, without numbers."""
    if isinstance(side, ast.BinOp) and isinstance(side.op, ast.Add | ast.Sub):
        yield from _addends(side.left)
        yield from _addends(side.right)
    elif not isinstance(side, ast.Constant):
        yield side


def _is_tensor(expression: ast.expr, known: States) -> bool | None:
    """Tell whether an expression is a tensor, not a number, by its names; None if that isn't sure."""
    if isinstance(expression, ast.BinOp):
        sides = {_is_tensor(expression.left, known), _is_tensor(expression.right, known)}
        return True if True in sides else None if None in sides else False
    if isinstance(expression, ast.UnaryOp):
        return _is_tensor(expression.operand, known)
    if isinstance(expression, ast.Call):
        return None if (path(expression.func) or "").rpartition(".")[2] in NUMERIC else True
    return True if path(expression) in known else False if isinstance(expression, ast.Constant) else None
