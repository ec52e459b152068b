"""Iterators that a line reads although an earlier line used them up: nothing comes from them any more."""

import ast
from collections.abc import Iterator, Mapping
from itertools import chain
from types import GeneratorType
from typing import Any

import torch

from weaver.recording.lines import SourceLines, expressions
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import is_used_up

PARAMETERS = {getattr(torch.nn.Module, name).__code__ for name in ("parameters", "named_parameters")}
ITERATORS = {GeneratorType, filter, map, zip, enumerate, chain}
MANY = 1000  # of them that are known


class UsedUp:
    """Knows which iterators were used up by which line."""

    def __init__(self, lines: SourceLines):
        self.lines = lines
        self._reads: dict[int, list[str]] = {}  # by the line
        self._loops: dict[int, list[str]] = {}
        # by their ids: the iterators, the lines that used them up, and the numbers of the steps
        self._known: dict[int, tuple[Any, int, int]] = {}

    def read_by(self, line: int, names: Mapping[str, object], begun: int, number: int) -> tuple[str, bool]:
        """Return the variable by which a line, the step `number`, read one, and whether that's of parameters.

        That's parameters() of a module, or what the line itself, a loop, has used up. `begun` is how many
        steps there were before it. Without any the variable is the empty text.
        """
        if line not in self._reads:
            statements = self.lines.statements(line)
            self._reads[line] = [*dict.fromkeys(name for one in statements for name in _read(one))]
            loops = (one.iter for one in statements if isinstance(one, ast.For))
            self._loops[line] = [name for one in loops for name in _read(one)]
        found = "", False
        for name in self._reads[line]:
            value = names.get(name)
            if type(value) not in ITERATORS or not is_used_up(value) or len(self._known) > MANY:
                continue
            _, by, at = self._known.setdefault(id(value), (value, line, number))
            is_parameters = type(value) is GeneratorType and value.gi_code in PARAMETERS
            if at < begun and (is_parameters or (by == line and name in self._loops[line])):
                found = name, is_parameters
        return found


def _read(one: ast.AST) -> Iterator[str]:
    for node in expressions(one):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
