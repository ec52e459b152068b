"""The plain numbers that a line put under names: a learning rate, a weight, a sum of losses."""

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from weaver.recording.facts import plain
from weaver.recording.lines import SourceLines
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401

LARGEST = 1 << 53  # up to which a browser counts


class Numbers:
    """Reads the numbers that the lines of a program put under names."""

    def __init__(self, lines: SourceLines):
        self.lines = lines
        self._targets: dict[int, list[str]] = {}  # by the line

    def after(self, line: int, names: Mapping[str, object]) -> dict[str, float | str]:
        """Return those that a line put under names, which lead to `names` now."""
        if line not in self._targets:
            self._targets[line] = [name for one in self.lines.statements(line) for name in _targets(one)]
        found = ((name, _number(names.get(name))) for name in self._targets[line])
        return {name: plain(value) for name, value in found if value is not None}


def _number(value: Any) -> float | None:
    if type(value) is int:
        return value if -LARGEST < value < LARGEST else None
    return float.__float__(value) if issubclass(type(value), float) else None


def _targets(one: ast.stmt) -> Iterator[str]:
    if isinstance(one, ast.Assign):
        parts = one.targets
    elif isinstance(one, ast.AnnAssign | ast.AugAssign | ast.For):
        parts = [one.target]
    else:
        return
    for part in parts:
        for name in part.elts if isinstance(part, ast.Tuple | ast.List) else [part]:
            if isinstance(name, ast.Name):
                yield name.id
