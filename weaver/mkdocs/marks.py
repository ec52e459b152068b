"""A directive on its way through Markdown is one private character, U+E000 and its number on the page.

Alone in a paragraph it is a block; in a formula it is a number.
"""

import re

from mkdocs.structure.pages import Page as MkDocsPage

from weaver.directives.kind import Directive
from weaver.directives.show import Show
from weaver.pages.model import Page

FIRST = 0xE000
MARK = re.compile("<p>([\ue000-\uf8ff])</p>|(<mi>)([\ue000-\uf8ff])</mi>|([\ue000-\uf8ff])")
IN_A_TAG = re.compile("<[^<>]*([\ue000-\uf8ff])[^<>]*>")
PICTURE = re.compile("<p data-search-exclude>([\ue000-\uf8ff])</p>")


class Marks:
    """The directives of one page, from its Markdown until its HTML is whole."""

    def __init__(self):
        self.directives: list[Directive] = []
        self.pictures: dict[str, str] = {}  # mark -> HTML

    def set(self, page: Page, show: Show) -> str:
        """Return the page's Markdown with a mark in the place of each directive.

        What is prose is put in at once; `show` need not have results yet.
        """

        def mark(directive):
            if directive.kind.is_prose:
                return directive.markdown(show)
            self.directives.append(directive)
            return chr(FIRST + len(self.directives) - 1)

        return page.weave(mark)

    def weave(self, page: MkDocsPage, show: Show) -> None:
        """Replace the marks in a page's content and in its table of contents; pictures come later."""
        if hidden := IN_A_TAG.search(page.content):
            raise self._at(hidden[1]).problem(
                "a value in a link's target or an image's text. Write it beside it."
            )

        def put(match):
            return self._shown(match, show)

        page.content = MARK.sub(put, page.content).replace("<th></th>", "<td></td>")  # no empty headings
        todo = list(page.toc)
        while todo:
            item = todo.pop()
            item.title = MARK.sub(lambda match: re.sub("<[^>]*>", "", put(match)), item.title)
            todo += item.children

    def add_pictures(self, content: str) -> str:
        """Return a page's content with its pictures."""
        return PICTURE.sub(lambda mark: self.pictures[mark[1]], content)

    def _at(self, mark):
        return self.directives[ord(mark) - FIRST]

    def _shown(self, match, show):
        block, in_formula, number, inline = match.groups()
        mark = block or number or inline
        directive = self._at(mark)
        if directive.kind.is_block and not block:
            raise directive.problem(f"a {directive.kind} inside other text or code. Move it out.")
        if directive.kind.is_drawn:
            self.pictures[mark] = directive.html(show)
            return f"<p data-search-exclude>{mark}</p>"
        return directive.kind.number(directive, show) if in_formula else directive.html(show)
