"""The plain numbers that a line set: a weight, a sum of losses, an optimizer's learning rate."""

import ast
from collections.abc import Iterator, Mapping
from typing import Any
from weakref import ref

from torch.optim import Optimizer

from weaver.recording.facts import plain
from weaver.recording.lines import SourceLines
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import own_dict

LARGEST = 1 << 53  # up to which a browser counts


class Numbers:
    """Reads the numbers that the lines of a program put under names."""

    def __init__(self, lines: SourceLines):
        self.lines = lines
        self._targets: dict[int, list[str]] = {}  # by the line

    def after(self, line: int, names: Mapping[str, object]) -> dict[str, float | str]:
        """Return those that a line put under names, which lead to `names` now."""
        if line not in self._targets:
            statements = self.lines.statements(line)
            is_sure = not any(isinstance(one, ast.If | ast.While) for one in statements)  # on the same line
            self._targets[line] = [name for one in statements for name in _targets(one) if is_sure]
        found = ((name, _number(names.get(name))) for name in self._targets[line])
        return {name: plain(value) for name, value in found if value is not None}


class Rates:
    """Notices that a line changed the learning rate of an optimizer."""

    def __init__(self) -> None:
        self.known: dict[int, list[float | None]] = {}  # optimizer's number -> its groups' rates

    def changed(
        self, optimizers: list[ref[Optimizer]], names: Mapping[str, object]
    ) -> dict[str, float | str]:
        """Return the rates that aren't as they were, by the names that lead to them."""
        found: dict[str, float | str] = {}
        for number, one in enumerate(optimizers):
            optimizer = one()
            groups = (own_dict(optimizer) or {}).get("param_groups", ())
            rates = [_number(group.get("lr")) for group in groups if type(group) is dict]
            then = self.known.get(number, rates)
            self.known[number] = rates
            if then != rates and len(then) == len(rates) and (name := _name(optimizer, names)):
                pairs = enumerate(zip(then, rates, strict=True))
                changed = ((at, now) for at, (old, now) in pairs if now is not None and now != old)
                found |= {f"{name}.param_groups[{at}]['lr']": plain(now) for at, now in changed}
        return found


def _name(one: object, names: Mapping[str, object]) -> str:
    """Return what leads to an object: a variable, or an attribute of one; else nothing."""
    for name, value in names.items():
        if value is one:
            return name
    owners = ((name, own_dict(value) or {}) for name, value in names.items() if not name.startswith("__"))
    return next((f"{name}.{part}" for name, parts in owners for part in parts if parts[part] is one), "")


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
