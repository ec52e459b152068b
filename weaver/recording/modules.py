"""What's in a module of torch: its modules, and their parameters."""

from types import CellType, FunctionType, MethodType
from typing import Any

from torch.nn import Parameter

from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import own_dict
from weaver.recording.tensors import Module
from weaver.recording.torch_private import module_members


def modules(module: object) -> dict[str, dict[str, Any]]:
    """Return the attributes of a module and of those in it, by the paths that lead there: `.layers.0`."""
    found: dict[int, tuple[str, dict[str, Any]]] = {}
    todo = [("", module)]
    while todo:
        path, one = todo.pop()
        if id(one) not in found:
            own = own_dict(one) or {}
            found[id(one)] = path, own
            members = named(module_members(own))
            todo += [(f"{path}.{name}", part) for name, part in members if issubclass(type(part), Module)]
    return dict(found.values())


def named_parameters(module: object) -> dict[str, Any]:
    """Return the parameters of a module and of those in it, by the first path that leads to each."""
    every = (
        (f"{path}.{name}", part)
        for path, own in modules(module).items()
        for name, part in named(module_members(own))
        if issubclass(type(part), Parameter)
    )
    return {path: part for path, part in {id(part): (path, part) for path, part in every}.values()}


def parameters(module: object) -> list[Any]:
    """Return the parameters of a module and of those in it."""
    return list(named_parameters(module).values())


def named(members: dict[Any, Any]) -> list[tuple[str, Any]]:
    """Return the members of a dictionary whose names are texts."""
    return [(name, one) for name, one in dict.items(members) if type(name) is str]


def parameters_used(work: object) -> list[Any]:
    """Return the parameters of a module, of a method's, or of those that a function's closure has."""
    owner: Any = work.__self__ if type(work) is MethodType else work
    cells = (owner.__closure__ or ()) if type(owner) is FunctionType else ()
    held: list[Any] = [_contents(cell) for cell in cells] or [owner]
    several = [part for one in held for part in (one if type(one) in (list, tuple) else [one])]
    modules = [one for one in several if issubclass(type(one), Module)]
    return [parameter for one in modules for parameter in parameters(one)]


def _contents(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # it has none yet
        return None
