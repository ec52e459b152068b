"""Where a program shows the order of a set, which differs in every run if it holds texts."""

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence

MAKES = {"frozenset", "set"}
ORDERED = {
    *("enumerate", "extend", "filter", "format", "iter", "join", "list", "map", "print", "repr", "str"),
    *("tuple", "zip"),
}
UNORDERED = {"all", "any", "frozenset", "len", "max", "min", "set", "sorted", "sum"}
SHOWS = {"append", "extend", "print", "write"}  # what makes a loop's order visible


def shown_orders(nodes: Iterable[ast.expr | ast.stmt]) -> Iterator[int]:
    """Yield the lines of a program's nodes where the order of a set reaches a list, a text or the output."""
    nodes = list(nodes)
    assigned = [node for node in nodes if isinstance(node, ast.Assign) and _is_set(node.value, ())]
    names = {one.id for node in assigned for one in node.targets if isinstance(one, ast.Name)}
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    free = {id(one) for node in calls if _called(node) in UNORDERED for one in node.args}
    for node in nodes:
        if id(node) not in free and any(_is_set(one, names) for one in _walked(node)):
            yield node.lineno


def _walked(node: ast.AST) -> Sequence[ast.expr]:
    """Return what a node goes through in order, or shows."""
    if isinstance(node, ast.Call) and _called(node) in ORDERED:
        return node.args
    if isinstance(node, ast.Call) and _called(node) == "pop" and not node.args:
        return [node.func.value] if isinstance(node.func, ast.Attribute) else []
    if isinstance(node, ast.FormattedValue | ast.Starred):
        return [node.value]
    if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp):
        return [one.iter for one in node.generators]
    if isinstance(node, ast.For):
        within = [one for part in node.body for one in ast.walk(part)]
        is_shown = any(_called(one) in SHOWS or isinstance(one, ast.Yield) for one in within)
        return [node.iter] if is_shown else []
    return []


def _called(node: ast.AST) -> str | None:
    """Return the last part of what a node calls, if it is a call."""
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", None))


def _is_set(node: ast.expr, names: Collection[str]) -> bool:
    """Tell whether a node is a set of what may not be numbers, or one of the names of such a set."""
    if isinstance(node, ast.Set):
        return len(node.elts) > 1 and not all(map(_is_number, node.elts))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKES and node.args:
        given = node.args[0]
        if isinstance(given, ast.List | ast.Tuple):
            return not all(map(_is_number, given.elts))
        return _called(given) != "range"
    if isinstance(node, ast.BinOp):
        return _is_set(node.left, names) or _is_set(node.right, names)
    return isinstance(node, ast.SetComp) or (isinstance(node, ast.Name) and node.id in names)


def _is_number(node: ast.expr) -> bool:
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex)
