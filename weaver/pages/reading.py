"""A page's file, read once per edit, and what is wrong with the page by itself."""

import re
from functools import cache
from pathlib import Path

from weaver.execution.changes import never_same, spelled
from weaver.pages.front_matter import Front
from weaver.pages.model import Page
from weaver.pages.parser import parse
from weaver.problem import Problem, read_text, shown

_never_same = cache(never_same)  # of a lab that no edit has changed
_last: dict[str, tuple[str, Page]] = {}  # what was read of each path, and what it said


def read(path: Path, name: str) -> Page:
    """Return the page in a file; `mkdocs serve` asks for all of them after each edit.

    `name` is its path in its language's folder. Raises Problem for a file that can't be read, for what is
    wrong on the page, for a lab outside of `labs`, and for a page there that is none.
    """
    text, at = read_text(path), shown(path)
    if at not in _last or _last[at][0] != text:
        page = parse(text, at)
        is_place = re.fullmatch(r"labs/(?!index\.md)[^/]+", name)
        if page.cells and not is_place:
            raise page.cells[0].problem("a lab must be in the folder `labs` of its language. Move the page.")
        if is_place and page.front.says.jupyter is None:
            raise Problem(
                f"{at}:1: a lab needs a line `jupyter: ...` in its front matter, such as "
                "`jupyter: {kernelspec: {display_name: Python 3, language: python, name: python3}}`."
            )
        _last[at] = text, page
    return _last[at][1]


def last_read(path: Path) -> Page:
    """Return the page as it could last be read; an empty one if it never could."""
    name = shown(path)
    return _last[name][1] if name in _last else Page(name, Front(), "", (), (), ())


def changing(page: Page) -> list[str]:
    """Return where a lab's cell that isn't measured uses what no two runs have in common."""
    return [
        f"{cell.page}:{cell.line + line}: cell {cell.number} uses {spelled(name)}, which differs "
        'in every run. Seed it, or write `tags=["measured"]` after `python`.'
        for at, name, line in _never_same(tuple(cell.argument for cell in page.cells))
        if not (cell := page.cells[at]).measured
    ]
