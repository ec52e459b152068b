"""Iterators that a line reads although an earlier line used them up: nothing comes from them any more."""

import ast
from collections.abc import Iterator, Mapping
from itertools import chain
from types import GeneratorType
from typing import Any

import torch

from weaver.recording.lines import SourceLines, expressions
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import is_used_up, own_dict

PARAMETERS = {getattr(torch.nn.Module, name).__code__ for name in ("parameters", "named_parameters")}
ITERATORS = {GeneratorType, filter, map, zip, enumerate, chain}
QUIET = {"isinstance", "type", "id", "callable", "hasattr", "print", "repr", "str"}  # go through nothing
MANY = 1000  # of them that are known

Read = tuple[str, str]  # a variable, and the attribute of it that's read, or ""


class UsedUp:
    """Knows which iterators were used up by which line."""

    def __init__(self, lines: SourceLines):
        self.lines = lines
        self._reads: dict[int, list[Read]] = {}  # by the line
        self._loops: dict[int, list[Read]] = {}
        # by their ids: the iterators, the lines that used them up, and the numbers of the steps
        self._known: dict[int, tuple[Any, int, int]] = {}

    def read_by(
        self, line: int, names: Mapping[str, object], begun: int, number: int, goes_on: bool = False
    ) -> tuple[str, bool, bool] | None:
        """Return the variable by which a line, the step `number`, read one; None if it read none.

        And whether that's parameters() of a module, or else what a loop goes through; and whether the line
        itself used it up. `begun` is how many steps there were before it. A loop that `goes_on` used up
        itself what it goes through.
        """
        if line not in self._reads:
            statements = self.lines.statements(line)
            self._reads[line] = [*dict.fromkeys(read for one in statements for read in _read(one))]
            loops = (one.iter for one in statements if isinstance(one, ast.For))
            self._loops[line] = [read for one in loops for read in _read(one)]
        found = None
        for read in self._reads[line]:
            name, attribute = read
            value = names.get(name)
            if attribute:
                value = (own_dict(value) or {}).get(attribute)
            if type(value) not in ITERATORS or not is_used_up(value) or len(self._known) > MANY:
                continue
            _, by, at = self._known.setdefault(id(value), (value, line, number))
            is_parameters = type(value) is GeneratorType and value.gi_code in PARAMETERS
            if at < begun and not (goes_on and by == line) and (is_parameters or read in self._loops[line]):
                found = f"{name}.{attribute}".rstrip("."), is_parameters, by == line
        return found


def _read(one: ast.AST) -> Iterator[Read]:
    """Yield what a statement may go through, but for what it calls and whose attributes it takes."""
    nodes = [*expressions(one)]
    outer = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    outer |= {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    outer |= {id(part) for node in nodes for part in _asked(node)}
    for node in nodes:
        if id(node) in outer:
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id, ""
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield node.value.id, node.attr


def _asked(node: ast.AST) -> list[ast.expr]:
    """Return of what an expression only asks what it is: `isinstance(x, list)`, `x is None`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in QUIET:
        return node.args
    return [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
