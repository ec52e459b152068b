"""A page and its results -> a Jupyter notebook with the same code, outputs and pictures."""

import json
import posixpath
import re
import textwrap
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from weaver.directives.directive import Show
from weaver.pages.model import Page
from weaver.site.twin import plain

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}
GOES_ON = '!!! note ""\n\n'  # the rest of an admonition, after a cell, is a quotation again
TITLE = re.compile(r"^# .*$", re.MULTILINE)


def notebook(page: Page, show: Show, root: str, url: str, licence: str | None = None) -> str:
    """Return the page as a notebook, as JSON in the format of nbformat 4.5.

    `root` is the address of the page's language, `url` the page's below it: links lead to the site.
    """
    cells = _Cells(root, url, show.torch)
    inside = ""  # the indentation of the previous directive, in an admonition or a list
    for before, part in pairwise(("", *page.parts)):
        if isinstance(part, str):
            goes_on = inside and not cells.text.strip() and part.startswith(inside) and part.strip()
            cells.text += GOES_ON + part if goes_on else part
            continue
        inside = before if isinstance(before, str) and not before.strip(" ") else ""
        at, count = len(cells.text), len(cells.cells)
        part.notebook(show, cells)
        if count == len(cells.cells):
            cells.text = cells.text[:at] + textwrap.indent(cells.text[at:], inside).removeprefix(inside)
    cells.add_text()
    about = {"page": posixpath.join(root, url)} | ({"torch": show.torch} if show.torch else {})
    about |= {"license": licence} if licence else {}
    content = {"metadata": {**METADATA, "weaver": about}, "cells": cells.cells}
    return json.dumps({**content, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False, indent=1) + "\n"


class _Cells:
    """The cells so far, and the text of the next."""

    def __init__(self, root: str, url: str, torch: str) -> None:
        self.root, self.url, self.torch = root, url, torch
        self.cells: list[dict[str, Any]] = []
        self.text = ""
        self.ran = 0

    def add_text(self) -> None:
        text = plain(self.text, self._link).strip()
        if text and not self.cells:
            address = f"<{posixpath.join(self.root, self.url)}>" if "://" in self.root else ""
            about = " · ".join(filter(None, (address, self.torch and f"torch {self.torch}")))
            text = TITLE.sub(lambda title: f"{title[0]}\n\n{about}".rstrip(), text, count=1)
        if text:
            self._add({"cell_type": "markdown", "metadata": {}, "source": text})
        self.text = ""

    def add_code(
        self, source: str, outputs: Sequence[Mapping[str, Any]] | None, tags: Sequence[str] = ()
    ) -> None:
        """Add a code cell; if `outputs` is None, it didn't run."""
        self.add_text()
        self.ran += outputs is not None
        metadata = {"tags": list(tags)} if tags else {}
        cell = {"cell_type": "code", "metadata": metadata, "source": source.rstrip("\n")}
        count = None if outputs is None else self.ran
        self._add({**cell, "execution_count": count, "outputs": outputs or []})

    def _add(self, cell: dict[str, Any]) -> None:
        self.cells.append({"id": f"cell-{len(self.cells) + 1}", **cell})

    def _link(self, match: re.Match) -> str:
        url = self.url
        if match["page"]:
            page = posixpath.join(posixpath.dirname(self.url.rstrip("/")), match["page"])
            page = posixpath.normpath(page)
            url = f"{page}.html" if self.url.endswith(".html") else f"{page}/".removeprefix("index/")
        return f"]({self.root}{url}{match['id'] or ''})"
