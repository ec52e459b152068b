"""What's wrong with a program, in front of its step-through: each remark leads to the step that shows it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from operator import itemgetter


@dataclass(frozen=True, slots=True)
class Remark:
    """What the line `code` at a `place` causes, in sentences; how bad it is, says the `heading`.

    It's seen at the step with the index `step`. If it `is_folded`, it's in a list that a reader opens.
    """

    heading: str
    place: str
    code: str
    sentences: tuple[str, ...]
    step: int
    is_folded: bool = False


def html(remarks: Sequence[tuple[int, Remark]]) -> str:
    """Return a list of remarks.

    Remarks in a row about one line share its button. Lines in a row with the same sentences share these.
    """
    groups = groupby(remarks, key=lambda one: (one[1].is_folded, escape(one[1].heading)))
    return "".join(
        f'<details class="wt-found"><summary>{heading}</summary>{_items(group)}</details>\n'
        if is_folded
        else f'<section class="wt-found"><h2>{heading}</h2>{_items(group)}</section>\n'
        for (is_folded, heading), group in groups
    )


def _items(remarks: Iterable[tuple[int, Remark]]) -> str:
    lines = groupby(remarks, key=lambda one: (one[0], one[1].place, one[1].code))
    told = [(line, [text for _, one in several for text in one.sentences]) for line, several in lines]
    return "".join(_item([line for line, _ in alike], said) for said, alike in groupby(told, itemgetter(1)))


def _item(lines: Iterable[tuple[int, str, str]], sentences: Iterable[str]) -> str:
    places = (
        f'<button type="button" data-moment="{moment}">{escape(place)}</button> <code>{escape(code)}</code>'
        for moment, place, code in lines
    )
    told = "".join(f"<p>{one}</p>" for one in (*places, *map(_with_code, sentences)))
    return f"<div>{told}</div>"


def _with_code(text: str) -> str:
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))
