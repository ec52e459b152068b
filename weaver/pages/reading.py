"""A page's file, read once per edit, and what is wrong with the page by itself."""

import re
from pathlib import Path

from weaver.execution.changes import never_same, spelled
from weaver.pages.front_matter import Front
from weaver.pages.model import Page
from weaver.pages.parser import parse
from weaver.problem import Problem, shown

_last: dict[str, tuple[str, Page]] = {}  # what was read of each path, and what it said


def read(path: Path) -> Page:
    """Return the page in a file; `mkdocs serve` asks for all of them after each edit.

    Raises Problem for a file that can't be read, and for what is wrong on the page.
    """
    text, name = _text(path), shown(path)
    if name not in _last or _last[name][0] != text:
        _last[name] = text, parse(text, name)
    return _last[name][1]


def last_read(path: Path) -> Page:
    """Return the page as it could last be read; an empty one if it never could."""
    name = shown(path)
    return _last[name][1] if name in _last else Page(name, Front(), "", (), (), ())


def misplaced(page: Page, name: str) -> list[str]:
    """Return what is wrong with a lab outside of `labs`, and with a page there that is none."""
    here = re.fullmatch(r"labs/(?!index\.md)[^/]+", name)
    if page.cells and not here:
        return [f"{page.cells[0].place}: a lab must be in the folder `labs` of its language. Move the page."]
    if here and not page.cells and page.front.says.jupyter is None:
        return [
            f"{page.path}:1: a lab needs a line `jupyter: ...` in its front matter. Copy it "
            "from \"Labs\" in the authors' guide."
        ]
    return []


def changing(page: Page) -> list[str]:
    """Return where a lab's cell that isn't measured uses what no two runs have in common."""
    return [
        f"{cell.page}:{cell.line + line}: cell {cell.number} uses {spelled(name)}, which differs "
        'in every run. Seed it, or write `tags=["measured"]` after `python`.'
        for at, name, line in never_same(cell.argument for cell in page.cells)
        if not (cell := page.cells[at]).measured
    ]


def _text(path):
    """Return what a page's file holds. Raises Problem if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise Problem(f"{shown(path)}: byte {error.start} is not UTF-8. Save the page as UTF-8.") from None
    except OSError as error:
        raise Problem(f"{shown(path)}: can't be read: {error.strerror}. Fix or remove it.") from None
