"""A directive on its way through Markdown is one private character: the first is U+F0000.

Alone in a paragraph it is a block; in a formula it is a number.
"""

import re
from collections.abc import Mapping

from mkdocs.structure.pages import Page as MkDocsPage

from weaver.directives.kind import Cell, Directive, End
from weaver.directives.show import Show
from weaver.mkdocs.flips import Flips
from weaver.mkdocs.notices import notice
from weaver.pages.model import Page
from weaver.pages.published import MARKS, Published
from weaver.problem import Problem, a

FIRST = 0xF0000
MOST = 0x110000 - FIRST
MARK = re.compile(f"<p>([{MARKS}])</p>|(<mi>)([{MARKS}])</mi>|([{MARKS}])")
FIGURE = re.compile(r'(<figure class="snippet">)<span id="([^"]+)"></span>')
PICTURE = re.compile(f"<p data-search-exclude>([{MARKS}])</p>")


class Marks:
    """The directives of one page, from its Markdown until its HTML is whole."""

    def __init__(self, page: Page):
        self.page = page
        self.directives: list[Directive] = []
        self.pictures: dict[str, str] = {}  # mark -> HTML
        self.flips: dict[int, Flips] = {}  # the what-ifs, by their lines
        self.figures: set[str] = set()  # the ids of the programs that are on the page
        self.serving = False  # whether what can't be shown becomes a notice
        self.wrong: Mapping[Directive, str] = {}  # the sentences on those that can't be shown
        self.told: list[str] = []  # the sentences that stand on the page
        self._unopened: set[int] = set()  # the lines of those whose end ends nothing

    def set(self, show: Show) -> str:
        """Return the page's Markdown with a mark in the place of each directive.

        What is prose is put in at once; `show` need not have results yet.
        """

        def mark(directive):
            if directive.kind.is_prose:
                return directive.markdown(show)
            if len(self.directives) == MOST:
                raise directive.problem(f"a page can have at most {MOST:,} directives. Split it into two.")
            self.directives.append(directive)
            return chr(FIRST + len(self.directives) - 1)

        return self.page.weave(mark)

    def check(self, html: str, is_compared: bool) -> None:
        """Raise Problem if Markdown took a directive or a heading for something else.

        `is_compared` says that the page's headings, as we read them, are compared with another language's.
        """
        seen = Published(html)
        for mark, where in seen.hidden:
            if directive := self.at(mark):
                raise directive.problem(
                    f"`{{{{ {directive.kind} ... }}}}` is in {where}. Move it into the text: don't "
                    "indent it by four spaces, and close every backtick before it."
                )
        if seen.literal:
            raise self.page.literal(seen.literal)
        for number, directive in enumerate(self.directives):
            if chr(FIRST + number) not in html:
                raise directive.problem(
                    f"`{{{{ {directive.kind} ... }}}}` is lost: it is in something that isn't shown, such as "
                    "an unused footnote, or another plugin or hook removed it. Move or remove it."
                )
        ours = [(heading.level, heading.id) for heading in self.page.headings]
        if is_compared and [level for level, _ in seen.headings] != [level for level, _ in ours]:
            equal = [one == two for (one, _), (two, _) in zip(seen.headings, ours, strict=False)]
            number = [*equal, False].index(False)
            line = self.page.headings[number - 1].line if number else 1
            raise Problem(
                f"{self.page.path}:{line}: the heading below can't be matched across languages: it is in a "
                "list, in HTML, or from another file. Write it with `#` at the beginning of a line."
            )

    def locate(self, text: str) -> tuple[str, str]:
        """Return where a text with marks stands on the page, and how it is written there."""
        pattern = "".join(r"\{\{.*?\}\}" if self.at(c) else re.escape(c) for c in text)
        written = re.search(pattern, self.page.body, re.DOTALL)
        return self.page.place(written[0] if written else text), written[0] if written else text

    def weave(self, page: MkDocsPage, show: Show, wrong: Mapping[Directive, str] | None = None) -> None:
        """Replace the marks in a page's content and in its table of contents; pictures come later.

        If `wrong`, the sentences on directives that can't be shown, is given, a notice stands in the place of
        those, and of what else can't be shown.
        """
        self.serving, self.wrong = wrong is not None, wrong or {}

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
        return PICTURE.sub(lambda mark: self.pictures.get(mark[1], mark[0]), content)

    def at(self, mark: str) -> Directive | None:
        """Return the directive that a mark stands for, None if another plugin put the character there."""
        number = ord(mark) - FIRST
        return self.directives[number] if 0 <= number < len(self.directives) else None

    def _shown(self, match, show):
        block, in_formula, number, inline = match.groups()
        mark = block or number or inline
        directive = self.at(mark)
        if directive is None:
            return match[0]
        if directive.kind.is_block and not block:
            raise directive.problem(f"{a(directive.kind)} inside other text or code. Move it out.")
        try:
            html = self._noticed(directive, self.wrong.get(directive), show)
            html = html or self.html(directive, show, mark, bool(in_formula))
        except Problem as problem:
            if not self.serving:
                raise
            html = self._noticed(directive, str(problem), show)
        html = FIGURE.sub(self._identified, html)
        if directive.kind.is_drawn:
            self.pictures[mark] = html
            return f"<p data-search-exclude>{mark}</p>"
        return f"<p>{html}</p>" if block and not directive.kind.is_block else html

    def _noticed(self, directive, sentence, show):
        """Return the notice for a directive that can't be shown; nothing if there is no sentence on it.

        A page says a sentence once, and at the cell that it is about.
        """
        if isinstance(directive, End) and directive.ends.line in self._unopened:
            return " "
        if sentence is None:
            return ""
        self._unopened.add(directive.line)
        text = sentence if sentence not in self.told or isinstance(directive, Cell) else ""
        self.told.append(sentence)
        return notice(show.words["problem"], text, directive.kind.is_block)

    def _identified(self, figure):
        """Return the beginning of a figure with its id, unless the page shows that program above."""
        is_first = figure[2] not in self.figures
        self.figures.add(figure[2])
        return figure[0] if is_first else figure[1]

    @property
    def scripts(self) -> dict[str, str]:
        """What the page's what-ifs ask for when readers choose: by the names of files beside the page."""
        return {flips.file(self.page): flips.text for flips in self.flips.values()}

    def html(self, directive: Directive, show: Show, mark: str, in_formula: bool) -> str:
        """Return the directive's HTML; note what other variants of its program put in its place."""
        if in_formula and directive.within:
            raise directive.problem("a formula doesn't change with the choice. Write the value as text.")
        if in_formula:
            return directive.kind.number(directive, show)
        if isinstance(directive, End) and directive.ends.kind.flips:
            return self.flips[directive.ends.line].reference(self.page) + directive.html(show)
        if not directive.what_if:
            return directive.html(show)
        flips = self.flips.setdefault(directive.what_if.line, Flips(directive.what_if, show))
        return flips.add(directive, str(ord(mark) - FIRST))
