"""Which tensors the names of a program lead to."""

import types
from collections.abc import Collection, Iterator, Mapping

import torch

DEEP = 4  # containers within containers that are looked into
BORING = (int, float, str, bytes, bool, type(None), type, types.FunctionType, types.ModuleType)


class Reach:
    """Finds tensors behind names: at most `tensors` of them, in at most `items` elements of a container.

    `own` are the variables of the program's module, `unseen` those of their names that are not looked at.
    """

    def __init__(self, own: Mapping, tensors: int, items: int, unseen: Collection[str] = ()):
        self.own, self.tensors, self.items, self.unseen = own, tensors, items, unseen

    def find(self, names: Mapping) -> tuple[dict[str, torch.Tensor], dict[str, int]]:
        """Return name -> tensor, and container -> how many of its elements were not looked at.

        Call it within `aside`. Runs none of the program's code: no property, no `__getattr__`, no
        `__iter__`. The references must be dropped before the program goes on.
        """
        self._found, self._hidden, self._seen = {}, {}, set()
        for name, value in list(names.items()):
            if not name.startswith("__") and name not in self.unseen:
                self._look(name, value, 0)
        found, self._found = self._found, None  # whoever asked lets go of them
        return found, self._hidden

    def _look(self, name, value, depth):
        if issubclass(type(value), BORING):  # `isinstance` would ask the object
            return
        if issubclass(type(value), torch.Tensor):
            self._add(name, value)
        elif depth < DEEP and id(value) not in self._seen:
            members = self._members(value)
            if members is None:
                return
            self._seen.add(id(value))
            self._open(name, members, depth)
            self._seen.discard(id(value))  # by another name it is looked into again; within itself not

    def _open(self, name, members, depth):
        size, pairs = members
        before = len(self._found)
        for number, (part, value) in enumerate(pairs):
            if number == self.items or len(self._found) >= self.tensors:
                if len(self._found) > before or isinstance(value, torch.Tensor):
                    self._hidden[name] = size - number
                return
            self._look(name + part, value, depth + 1)

    def _members(self, value) -> tuple[int, Iterator] | None:
        """Return how many parts a container or an object of the program has, and each with its name."""
        kind = type(value)
        if issubclass(kind, torch.nn.Module):
            return self._of_module(value)
        if issubclass(kind, list | tuple) and kind.__iter__ in (list.__iter__, tuple.__iter__):
            names = getattr(kind, "_fields", None)
            parts = (f".{name}" for name in names) if names else (f"[{i}]" for i in range(len(value)))
            return len(value), zip(parts, value, strict=False)
        if issubclass(kind, dict) and kind.items is dict.items:
            return len(value), (
                (f"[{self._key(i, key)}]", one) for i, (key, one) in enumerate(dict.items(value))
            )
        if kind.__module__ == self.own.get("__name__") and isinstance(getattr(value, "__dict__", None), dict):
            return len(value.__dict__), ((f".{name}", one) for name, one in value.__dict__.items())
        return None

    @staticmethod
    def _key(number, key):
        return repr(key) if type(key) in (str, int, float, bool) else f"{type(key).__name__} {number}"

    def _of_module(self, module):
        parts = {}
        for group in ("_parameters", "_buffers", "_modules"):
            parts |= vars(module).get(group) or {}
        if type(module).__module__ == self.own.get("__name__"):
            parts |= {name: one for name, one in vars(module).items() if not name.startswith("_")}
        return len(parts), ((f".{name}", one) for name, one in parts.items())

    def _add(self, name, tensor):
        """Add a tensor, and where it has one, its `.grad` behind it; bounded."""
        for _ in range(DEEP):
            if len(self._found) >= self.tensors:
                self._hidden[""] = self._hidden.get("", 0) + 1
                return
            self._found[name] = tensor
            try:
                kept = tensor.is_leaf or tensor.retains_grad
                tensor = tensor.grad if kept else None
            except RuntimeError:
                return
            if tensor is None:
                return
            name += ".grad"
