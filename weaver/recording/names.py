"""Names for the parameters of modules that have more tensors than a state lists."""

from collections.abc import Callable
from typing import Any

from weaver.recording.identity import Identity
from weaver.recording.modules import named_parameters
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401


class LeafNames:
    """The names of leaves, by their places: that in the outermost function, if several have one.

    `place` tells where a parameter is in the graph, `depth` how many functions are being called.
    """

    def __init__(self, place: Callable[[Any], str], depth: Callable[[], int]):
        self._place, self._depth = place, depth
        self._numbers = Identity()
        self._noted: set[tuple[int, str]] = set()
        self._found: dict[str, tuple[int, str]] = {}

    def note(self, name: str, module: Any) -> None:
        """Note the names of a module's parameters, once for each name that leads to it."""
        key = self._numbers.number(module), name
        if key in self._noted:
            return
        self._noted.add(key)
        depth = self._depth()
        for path, parameter in named_parameters(module).items():
            place = self._place(parameter)
            if place not in self._found or depth < self._found[place][0]:
                self._found[place] = depth, name + path

    def all(self) -> dict[str, str]:
        """Return the name of each place."""
        return {place: name for place, (_, name) in self._found.items()}
