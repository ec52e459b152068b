"""Numbers and arrays that a program took out of tensors: where they came from, as long as they're there."""

from collections.abc import Mapping
from typing import Any
from weakref import ref

from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import class_module, class_name
from weaver.recording.unreached import Cut

Origins = dict[str, Cut | None]  # the place of a tensor -> what cut the gradient's path from there
NamedValues = dict[str, Origins]
OUT = ("item", "tolist", "numpy", "float")  # what is in a statement that takes a value out of a tensor
MANY, FEW = 10_000, 8  # values, and tensors that one came from
SMALL = 16  # parts of a container that are looked at


class Values:
    """Origins of floats, which are kept, and of NumPy arrays, which aren't."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Origins]] = {}  # by the id of the object

    @staticmethod
    def can_be(value: object) -> bool:
        """Tell whether an object is one whose origins can be told: no other object is the same by chance."""
        kind = type(value)
        return kind is float or (class_name(kind) == "ndarray" and class_module(kind) == "numpy")

    @staticmethod
    def may_be_in(text: str) -> bool:
        """Tell whether a statement may take a value out of a tensor."""
        return any(name in text for name in OUT)

    def note(self, value: object, origins: Origins) -> None:
        """Note where a value came from."""
        if self.can_be(value) and 0 < len(origins) <= FEW and len(self._known) < MANY:
            self._known[id(value)] = (value if type(value) is float else ref(value)), origins

    def named(self, names: Mapping[str, object]) -> NamedValues:
        """Return where the values came from that the names lead to, of those that are known."""
        if not self._known:
            return {}
        every = (part for name, value in list(names.items()) for part in ((name, value), *parts(name, value)))
        return {name: self._known[id(value)][1] for name, value in every if self._has(value)}

    def _has(self, value: object) -> bool:
        known = self._known.get(id(value), (None,))[0]
        return known is not None and (known if type(known) is float else known()) is value


def parts(name: str, value: object) -> list[tuple[str, object]]:
    """Return the parts of a small dictionary, tuple or list, by their names."""
    if type(value) is dict and dict.__len__(value) <= SMALL:
        return [(f"{name}[{key!r}]", one) for key, one in dict.items(value) if type(key) in (str, int)]
    if isinstance(value, tuple | list) and type(value) in (tuple, list) and len(value) <= SMALL:
        return [(f"{name}[{number}]", one) for number, one in enumerate(value)]
    return []
