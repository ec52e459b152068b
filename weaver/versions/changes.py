"""What changed from one version of torch to the next: of all programs, grouped by what changed."""

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from weaver.versions.record import Elsewhere, Versions

WARNING = re.compile(r"(?:\w+\.)*\w*Warning: ")
ERROR = re.compile(r"(?:\w+\.)*[A-Z]\w*(?:Error|Exception)\b(?::|$)")
LACKS = re.compile(
    r"AttributeError: (?!'NoneType').* has no attribute|ModuleNotFoundError|ImportError"
    r"|\[(?:ended|stopped|never) |TypeError: .*unexpected keyword argument"
    r"|.*not (?:yet )?supported|.*don't yet support"
)


class ChangeKind(StrEnum):
    """How an output differs from the one before."""

    POSSIBLE = "possible"  # it ran, or didn't, for lack of something
    ERROR = "error"
    WARNING = "warning"
    VALUE = "value"


class Change(NamedTuple):
    """The lines that went and came, and the programs (variants) that print so."""

    kind: ChangeKind
    before: tuple[str, ...]
    after: tuple[str, ...]
    programs: tuple[str, ...]


def kind_of(before: Iterable[str], after: Iterable[str]) -> ChangeKind:
    """Return how outputs differ whose other lines are these."""
    lines = [line for line in (*before, *after) if not WARNING.match(line)]
    if not lines:
        return ChangeKind.WARNING
    if any(map(LACKS.match, lines)):
        return ChangeKind.POSSIBLE
    return ChangeKind.ERROR if any(map(ERROR.match, lines)) else ChangeKind.VALUE


def differing(before: str, after: str) -> tuple[list[str], list[str]]:
    """Return the lines of two outputs that aren't in the other at that place."""
    one, two = before.splitlines(), after.splitlines()
    codes = SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
    changed = [code for code in codes if code[0] != "equal"]
    return [line for _, a, b, _, _ in changed for line in one[a:b]], [
        line for _, _, _, a, b in changed for line in two[a:b]
    ]


def changes(
    known: Versions, torch: str, programs: Mapping[str, Elsewhere], expected: Mapping[str, str]
) -> tuple[tuple[str, str, tuple[Change, ...]], ...]:
    """Return what changed from each version to the next, the newest first; what changed alike is together.

    `expected` is what each program prints with `torch`. What wasn't run with both versions isn't compared.
    """
    found = []
    for before, after in pairwise(known):
        alike: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
        for name, elsewhere in programs.items():
            ran = {*elsewhere.ran, torch}
            outputs = [output(elsewhere, version, torch, expected[name]) for version in (before, after)]
            if {before, after} <= ran and outputs[0] != outputs[1]:
                gone, come = differing(*outputs)
                alike.setdefault((tuple(gone), tuple(come)), []).append(name)
        alike_all = tuple(Change(kind_of(*sides), *sides, tuple(names)) for sides, names in alike.items())
        found.append((before, after, alike_all))
    return tuple(reversed(found))


def output(elsewhere: Elsewhere, version: str, torch: str, expected: str) -> str:
    """Return what a program prints with a version that ran it."""
    others = (other.output for other in elsewhere.others if version in other.versions)
    return expected if version == torch else next(others, expected)
