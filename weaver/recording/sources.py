"""From which tensors the result of a statement certainly comes: what its operations took.

Nothing stands between the program and torch to tell. So it's read off the statement that ran, as far as
each part is known for certain: a path that led to a tensor before the line, an operator, a method of a
tensor, a function of torch, a module of `torch.nn`. Of anything else nothing is said.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from types import ModuleType
from typing import Any

import torch
from torch.nn import functional

from weaver.recording import tensors as t
from weaver.recording.lines import expressions, path
from weaver.recording.model import TensorState
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import callable_name, class_module, class_name, own_dict
from weaver.recording.torch_private import module_members
from weaver.recording.values import parts

States = Mapping[str, TensorState]
Sources = dict[str, str]  # the name of a tensor, or of a value -> what cut it off on the way, if anything did

LIBRARIES = (torch, functional, torch.linalg, torch.special, torch.fft)
CUTS = {"detach": "detach()", "detach_": "detach_()", "data": ".data"}  # attributes that cut
OUT = {"item": "item()", "tolist": "tolist()", "numpy": "numpy()"}  # what leads out of torch
COMPARED = "a comparison"  # whose result has no derivative
GRAD = "autograd.grad()"  # whose results have no graph, unless that's asked for
COPIES = {"tensor": "torch.tensor()", "as_tensor": "torch.as_tensor()"}
ORDERS = {"eq", "ne", "ge", "gt", "le", "lt", "argmax", "argmin", "argsort", "nonzero"}
NO_DERIVATIVE = ORDERS | {"bool", "int", "long"}
TURNED = ("T", "mT", "H", "mH", "real", "imag")
# What returns no value of the tensor it's called on, or one that isn't followed any further
SIZES = {"size", "dim", "ndimension", "numel", "nelement", "stride", "get_device"}
NO_VALUE = SIZES | {"new", "zero_", "fill_"}
LIKE = ("view_as", "expand_as", "reshape_as", "type_as", "to")  # of the arguments, a shape or a dtype is read
COLLECT = ("append", "add", "insert")


def results(one: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Yield where a statement puts a result, and the expression that it's the value of."""
    if isinstance(one, ast.Assign):
        for target in one.targets:
            yield from _pairs(target, one.value)
    elif isinstance(one, ast.AnnAssign) and one.value:
        yield from _pairs(one.target, one.value)
    elif isinstance(one, ast.AugAssign) and (name := path(one.target)):
        yield name, ast.BinOp(one.target, one.op, one.value)
    elif isinstance(one, ast.Return) and one.value:
        yield from _parts("return", one.value)
    elif isinstance(one, ast.Expr) and isinstance(one.value, ast.Call):
        call = one.value
        if isinstance(call.func, ast.Attribute) and call.func.attr in COLLECT and call.args:
            yield path(call.func.value) or "", call.args[-1]


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Tuple | ast.List):
        if not isinstance(value, ast.Tuple | ast.List):
            for one in target.elts:
                yield from _pairs(one, value)
        elif not any(isinstance(one, ast.Starred) for one in [*target.elts, *value.elts]):
            for one, part in zip(target.elts, value.elts, strict=True):
                yield from _pairs(one, part)
    elif name := path(target):
        yield from _parts(name, value)


def _parts(name: str, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(value, ast.Tuple | ast.List):
        for number, one in enumerate(value.elts):
            if isinstance(one, ast.Starred):
                return
            yield from _parts(f"{name}[{number}]", one)
    elif isinstance(value, ast.Dict):
        for key, one in zip(value.keys, value.values, strict=True):
            if isinstance(key, ast.Constant):
                yield from _parts(f"{name}[{key.value!r}]", one)
    else:
        yield name, value


def is_out(cut: str) -> bool:
    """Tell whether what cut leads out of torch: what comes back is a new tensor."""
    return bool(cut) and cut not in (*CUTS.values(), COMPARED, GRAD)


def detached(statements: list[ast.stmt], before: States, detaching: Collection[str] = ()) -> list[str]:
    """Return the tensors that the statements may detach, by their names before the line.

    They may call functions of the program that are `detaching`.

    Of a comprehension that goes through a container, that's all that the container leads to, and of a call
    all that its arguments lead to.
    """
    nodes = [node for one in statements for node in expressions(one)]
    through = {
        part.id: whole
        for node in nodes
        if isinstance(node, ast.comprehension) and (whole := path(node.iter))
        for part in expressions(node.target)
        if isinstance(part, ast.Name)
    }
    found: list[str] = []
    cut = [node.value for node in nodes if isinstance(node, ast.Attribute) and node.attr in CUTS]
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    cut += [one.args[0] for one in calls if path(one.func) == "torch.detach" and one.args]
    for value in [*cut, *(one for one in calls if (path(one.func) or "").rpartition(".")[2] in detaching)]:
        parts = ast.walk(value) if isinstance(value, ast.Call) else ()
        called = {part.id for part in parts if isinstance(part, ast.Name)}
        roots = called | {name for name in (path(value),) if name in through}
        while inner := roots & through.keys():
            roots = (roots - inner) | {through[name] for name in inner}
        inside = tuple(f"{name}{sign}" for name in roots for sign in ".[")
        found += [one for one in before if one in called or one == path(value) or one.startswith(inside)]
    return found


class Reading:
    """Reads expressions where the names led to `objects`, and to the tensors `before` the line.

    `values` are the numbers and arrays that came from tensors, by their names before the line. Names that
    the `statement` sets led elsewhere before it.
    """

    def __init__(
        self,
        before: States,
        objects: Mapping[str, Any],
        values: Mapping[str, Any] | None = None,
        statement: ast.stmt | None = None,
    ):
        self.before, self.objects, self.values = before, objects, values or {}
        names = (one for one in expressions(statement) if isinstance(one, ast.Name)) if statement else ()
        self.set_here = {one.id for one in names if isinstance(one.ctx, ast.Store)}

    def leads_to(self, target: str) -> object:
        """Return what a name leads to, or a part of a small container that has one."""
        name, bracket, _ = target.partition("[")
        value = self.objects.get(name)
        return dict(parts(name, value)).get(target) if bracket else value

    def sources(self, node: ast.AST) -> Sources:
        """Return the tensors that the value of an expression certainly comes from."""
        name = path(node) or self._item(node)
        if name and (name in self.before or name in self.values):
            return {name: ""}
        if isinstance(node, ast.Attribute):
            return self._cut(self.sources(node.value), CUTS.get(node.attr, ""), node.attr in TURNED)
        if isinstance(node, ast.Subscript | ast.Starred | ast.NamedExpr):
            return self.sources(node.value)
        if isinstance(node, ast.UnaryOp):
            return self.sources(node.operand)
        if isinstance(node, ast.BinOp):
            return self._all(node.left, node.right)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            is_value = not isinstance(node.ops[0], ast.In | ast.NotIn | ast.Is | ast.IsNot)
            return self._cut(self._all(node.left, *node.comparators), COMPARED) if is_value else {}
        if isinstance(node, ast.Tuple | ast.List):
            return self._all(*node.elts)
        return self._call(node) if isinstance(node, ast.Call) else {}

    def _item(self, node: ast.AST) -> str:
        """Return the name of the item of a container that a variable chooses, "" for anything else."""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
            base, name = path(node.value), node.slice.id
            index = None if name in self.set_here else self.objects.get(name)
            if base and type(index) in (int, str):
                return f"{base}[{index!r}]"
        return ""

    def _all(self, *nodes: ast.AST, also: Sources | None = None) -> Sources:
        found = dict(also or {})
        for node in nodes:
            for name, cut in self.sources(node).items():
                found[name] = cut and found.get(name, cut)  # one way that isn't cut is enough
        return found

    @staticmethod
    def _cut(sources: Sources, cut: str, goes_on: bool = False) -> Sources:
        """Return sources cut off by something: what leads out of torch first, or else what came first."""
        if not (cut or goes_on):
            return {}
        return {name: cut if is_out(cut) and not is_out(old) else old or cut for name, old in sources.items()}

    def _call(self, node: ast.Call) -> Sources:
        function = node.func
        arguments = [*node.args, *(one.value for one in node.keywords if one.arg not in (None, "out"))]
        if isinstance(function, ast.Attribute):
            name = function.attr
            if own := self.sources(function.value):
                if name in NO_VALUE or name.startswith(("new_", "is_")) or not hasattr(t.Tensor, name):
                    return {}
                found = self._all(*([] if name in LIKE else arguments), also=own)
                compared = name in NO_DERIVATIVE and COMPARED
                return self._cut(found, CUTS.get(name, OUT.get(name, compared or "")), True)
        if isinstance(function, ast.Call) and _is_layer(self._object(function.func)):  # `nn.Softmax(-1)(x)`
            return self._all(*arguments)
        called = self._object(function)
        if called is torch.autograd.grad:
            given = {one.arg: one.value for one in node.keywords}
            graph = given.get("create_graph", ast.Constant(False))
            is_cut = isinstance(graph, ast.Constant) and graph.value is False
            outputs = node.args[:1] or [given.get("outputs", ast.Constant(None))]
            return self._cut(self._all(*outputs), GRAD) if is_cut else {}
        if _is_of_torch(called):
            name = callable_name(called)
            taken = {} if name.endswith("_like") or name.startswith("is_") else self._all(*arguments)
            compared = COMPARED if name in NO_DERIVATIVE else ""
            return self._cut(taken, CUTS.get(name, COPIES.get(name, compared)), True)
        if called is None and isinstance(function, ast.Name) and function.id == "float":
            return self._cut(self._all(*arguments), "float()")
        if class_name(type(called)) == "ufunc" and class_module(type(called)) == "numpy":
            return self._all(*arguments)
        if issubclass(type(called), t.Module) and _is_plain(called):
            prefix = f"{path(function)}."
            leaves = [one for one, facts in self.before.items() if facts.place[:1] == "l"]
            weights = dict.fromkeys((one for one in leaves if one.startswith(prefix)), "")
            return self._all(*arguments) | weights
        return {}

    def _object(self, node: ast.AST) -> Any:
        """Return what an expression leads to, None if that would take code of the program's to tell."""
        if isinstance(node, ast.Name):
            return self.objects.get(node.id)
        if isinstance(node, ast.Attribute):
            return _members(self._object(node.value)).get(node.attr)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            base, key = self._object(node.value), node.slice.value
            if type(base) in (list, tuple) and type(key) is int and -len(base) <= key < len(base):
                return base[key]
            return dict.get(base, key) if type(base) is dict else None
        return None


def _members(value: object) -> dict[Any, Any]:
    if value is None:
        return {}
    own = vars(value) if type(value) is ModuleType else own_dict(value) or {}
    return {**own, **module_members(own)} if issubclass(type(value), t.Module) else own


def _is_of_torch(value: Any) -> bool:
    """Tell whether a value is a function of torch that takes tensors and returns what it makes of them."""
    if not callable(value) or issubclass(type(value), type | t.Module):
        return False
    name = callable_name(value)
    return any(vars(library).get(name) is value for library in LIBRARIES)


def _is_layer(value: Any) -> bool:
    """Tell whether a value is a class of `torch.nn`'s modules."""
    is_class = issubclass(type(value), type) and issubclass(value, t.Module)
    return is_class and class_module(value).startswith("torch.nn.modules.")


def _is_plain(module: t.Module) -> bool:
    """Tell whether nothing but `torch.nn` runs when a module is called: no code of a program's, no hook."""
    todo: list[Any] = [module]
    while todo:
        one = todo.pop()
        attributes = own_dict(one) or {}
        hooks = [attributes.get(name) for name in ("_forward_hooks", "_forward_pre_hooks")]
        if any(hooks) or not class_module(type(one)).startswith("torch.nn.modules."):
            return False
        todo += [part for part in module_members(attributes).values() if issubclass(type(part), t.Module)]
    return True
