"""Which tensors the names of a program lead to."""

from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain, count, islice
from types import FunctionType, ModuleType
from typing import Any

from torch import Tensor
from torch.optim import Optimizer

from weaver.recording import facts
from weaver.recording import tensors as t
from weaver.recording import torch_private as private
from weaver.recording.limits import Limits
from weaver.recording.modules import named
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import class_member, class_module, class_name, own_dict

DEEP = 4  # containers within containers that are looked into
BORING = (int, float, str, bytes, bool, type(None), type, FunctionType, ModuleType)
PARTS = 32  # of containers, that take as long as a look at a tensor
SIMPLE = (str, int, float, bool)  # keys that are written as they are
ADDRESS = 1 << 32  # numbers from here on are taken for addresses, `id` or `data_ptr`: new ones in each run

DICT_ITEMS = [class_member(kind, "items") for kind in (dict, OrderedDict)]

# How many parts there are, and each with its name, or its number in a list
Members = tuple[int, Iterator[tuple[str | int, Any]]]


class Reach:
    """Finds tensors behind names, as many as the `limits` allow.

    `own` are the variables of the program's module, `unseen` those of their names that are not looked at;
    `has_module` tells which other modules are the program's; `on_crowded` hears of each module, by its name,
    whose tensors aren't all found.
    """

    def __init__(
        self,
        own: Mapping[str, Any],
        limits: Limits,
        unseen: Collection[str] = (),
        has_module: Callable[[str], bool] = lambda name: False,
        on_crowded: Callable[[str, Any], None] = lambda name, module: None,
    ):
        self.own, self.unseen = own, unseen
        self.tensors, self.items, self.optimizers = limits.tensors, limits.items, limits.optimizers
        self.has_module, self.on_crowded = has_module, on_crowded
        self._is_crowded = False

    def find(self, names: Mapping[str, Any]) -> tuple[dict[str, Tensor], dict[str, int]]:
        """Return name -> tensor, and container -> how many of its elements were not looked at.

        Call it within `aside`. Runs none of the program's code: no property, no `__getattr__`, no
        `__iter__`. The references must be dropped before the program goes on.
        """
        self._found: dict[str, Tensor] = {}
        self._hidden: dict[str, int] = {}
        self._seen: set[int] = set()
        self._met = 0  # containers within themselves
        self._barren: dict[int, int] = {}  # those that lead to no tensor, by their ids: how deep they were
        self._closed = set(BORING)  # classes of what leads nowhere
        self._opened = 0  # parts
        for name, value in self._sorted(names):
            if type(name) is str and not name.startswith("__") and name not in self.unseen:
                self._look(name, value, 0)
        self._is_crowded |= self._is_full()
        facts.looks += self._opened // PARTS
        found, self._found = self._found, {}  # whoever asked lets go of them
        within = tuple(f"{name}{sign}" for name in self._hidden if name for sign in ".[")
        return found, {name: n for name, n in self._hidden.items() if not name.startswith(within)}

    def _is_full(self) -> bool:
        return "" in self._hidden or len(self._found) >= self.tensors

    def _sorted(self, names: Mapping[str, Any]) -> list[tuple[str, Any]]:
        """Return names with what they lead to; once there were too many tensors, not a dataset's first."""
        every = list(names.items())
        return sorted(every, key=lambda one: _rank(one[1])) if self._is_crowded else every

    def _look(self, name: str, value: object, depth: int) -> None:
        kind = type(value)  # `isinstance` would ask the object
        if kind in self._closed:
            return
        if issubclass(kind, BORING):
            self._closed.add(kind)
        elif t.is_tensor(value):
            self._add(name, value)
        elif id(value) in self._seen:
            self._met += 1
        elif self._barren.get(id(value), DEEP + 1) > depth and not self._is_plain(value):
            self._look_into(name, value, depth)

    def _look_into(self, name: str, value: object, depth: int) -> None:
        if not (members := self._members(value)):
            self._closed.add(type(value))
            return
        self._seen.add(id(value))
        is_module = issubclass(type(value), t.Module)  # which may be in as many others as it likes
        found, hidden, met = len(self._found), len(self._hidden), self._met
        self._open(name, members, depth if is_module else depth + 1)
        self._seen.discard(id(value))  # by another name it is looked into again; within itself not
        if is_module and (self._is_full() or len(self._hidden) > hidden):
            self.on_crowded(name, value)
        if (len(self._found), len(self._hidden), self._met) == (found, hidden, met) and not self._is_full():
            self._barren[id(value)] = depth

    def _is_plain(self, value: Any) -> bool:
        """Tell whether it's a list, tuple or dictionary whose parts lead nowhere."""
        kind = type(value)
        if kind is not list and kind is not tuple and kind is not dict:
            return False
        self._opened += 1
        parts = value.values() if kind is dict else value
        return self._closed.issuperset(map(type, islice(parts, self.items + 1)))

    def _open(self, name: str, members: Members, depth: int) -> None:
        size, pairs = members
        if depth > DEEP:
            self._hidden |= {name: size} if any(t.is_tensor(value) for _, value in pairs) else {}
            return
        before = len(self._found)
        self._opened += min(size, self.items)
        for number, (part, value) in enumerate(pairs):
            if number == self.items or len(self._found) >= self.tensors:
                if len(self._found) > before or t.is_tensor(value):
                    self._hidden[name] = size - number
                rest = islice(chain([(part, value)], pairs), max(self.items - number, 0))
                for path, one in ((_path(name, part), one) for part, one in rest):
                    if issubclass(type(one), t.Module):
                        self.on_crowded(path, one)
                return
            if type(value) not in self._closed:
                self._look(_path(name, part), value, depth)

    def _members(self, value: Any) -> Members | None:
        """Return how many parts a container or an object of the program has, and each with its name."""
        kind = type(value)
        if kind is list or kind is tuple:
            return len(value), enumerate(value)
        if issubclass(kind, t.Module):
            return self._of_module(value)
        for plain in (list, tuple, deque):
            if issubclass(kind, plain) and class_member(kind, "__iter__") is class_member(plain, "__iter__"):
                return plain.__len__(value), zip(self._parts(kind), plain.__iter__(value), strict=False)
        if issubclass(kind, dict) and class_member(kind, "items") in DICT_ITEMS:
            pairs = enumerate(dict.items(value))
            return dict.__len__(value), ((f"[{self._key(i, key)}]", one) for i, (key, one) in pairs)
        if self.optimizers and issubclass(kind, Optimizer):
            return self._of_optimizer(value)
        if self._is_own(kind) and (members := own_dict(value)) is not None:
            return dict.__len__(members), ((f".{name}", one) for name, one in named(members))
        return None

    def _is_own(self, kind: type) -> bool:
        """Tell whether a class is the program's."""
        module = class_module(kind)
        return module == self.own.get("__name__") or self.has_module(module)

    @staticmethod
    def _parts(kind: type) -> Iterator[str | int]:
        """Return what leads to the elements of a list or tuple: names, of a named tuple, or numbers."""
        names = class_member(kind, "_fields")
        if type(names) is tuple and all(type(name) is str for name in names):
            return (f".{name}" for name in names)
        return count()

    @staticmethod
    def _key(number: int, key: Any) -> str:
        is_told = type(key) in SIMPLE and not (type(key) is int and abs(key) >= ADDRESS)
        return repr(key) if is_told else f"{class_name(type(key))} {number}"

    def _of_module(self, module: object) -> Members:
        members = own_dict(module) or {}
        parts = dict(named(private.module_members(members)))
        if self._is_own(type(module)):
            parts |= {name: one for name, one in named(members) if not name.startswith("_")}
        return len(parts), ((f".{name}", one) for name, one in parts.items())

    @staticmethod
    def _of_optimizer(optimizer: Optimizer) -> Members:
        """Return what an optimizer keeps for each parameter, by the parameter's number."""
        members = own_dict(optimizer) or {}
        states = {id(parameter): kept for parameter, kept in dict.items(members.get("state", {}))}
        held = [one for group in members.get("param_groups", ()) for one in group["params"]]
        kept = [(f".state[{i}]", states[id(one)]) for i, one in enumerate(held) if id(one) in states]
        return len(kept), iter(kept)

    def _add(self, name: str, tensor: Tensor) -> None:
        """Add a tensor and its `.grad`, if it has one: both, or neither if there's no room for both."""
        chain = {name: tensor}
        try:
            while len(chain) < DEEP and (t.is_leaf(tensor) or t.retains_grad(tensor)):
                if (grad := t.grad(tensor)) is None:
                    break
                name, tensor = f"{name}.grad", grad
                chain[name] = tensor
        except RuntimeError:  # a view whose history is lost
            pass
        if len(self._found) + len(chain) > self.tensors:
            self._hidden[""] = self._hidden.get("", 0) + len(chain)
        else:
            self._found |= chain


def _path(name: str, part: str | int) -> str:
    """Return what leads to a part of what has a name."""
    return f"{name}[{part}]" if type(part) is int else f"{name}{part}"


def _rank(value: object) -> int:
    """Return which come first if there are too many: tensors, then modules."""
    return 0 if t.is_tensor(value) else 1 if issubclass(type(value), t.Module) else 2
