"""A directive on its way through Markdown is one private character: the first is U+F0000.

Alone in a paragraph it is a block; in a formula it is a number.
"""

import re
from collections.abc import Mapping

from weaver.directives.body import EndDirective
from weaver.directives.cell import CellDirective
from weaver.directives.directive import Directive, Show
from weaver.execution.contract import RUNNING
from weaver.mkdocs.notices import notice
from weaver.mkdocs.page_cache import Item
from weaver.mkdocs.variants import Variants
from weaver.pages.model import Page
from weaver.pages.published import MARKS, Published
from weaver.problem import Problem, a

FIRST = 0xF0000
MOST = 0x110000 - FIRST
MARK = re.compile(f"<p>([{MARKS}])</p>|(<mi>)([{MARKS}])</mi>|([{MARKS}])")
FIGURE = re.compile(r'(<figure class="snippet"[^>]*><figcaption) id="([^"]+)"')
PICTURE = re.compile(f"<p data-search-exclude>([{MARKS}])</p>")


class Placeholders:
    """The directives of one page, from its Markdown until its HTML is whole."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.directives: list[Directive] = []
        self.pictures: dict[str, str] = {}  # mark -> HTML
        self.variants: dict[int, Variants] = {}  # the what-ifs, by their lines
        self.figures: set[str] = set()  # the ids of the programs that are on the page
        self.serving = False  # whether what can't be shown becomes a notice
        self.wrong: Mapping[Directive, str] = {}  # the sentences on those that can't be shown
        self.told: list[str] = []  # the sentences that stand on the page
        self._unopened: set[int] = set()  # the lines of those whose end ends nothing

    def set(self, show: Show) -> str:
        """Return the page's Markdown with a mark in the place of each directive.

        What is prose is put in at once; `show` need not have results yet.
        """

        def mark(directive: Directive) -> str:
            if directive.is_prose:
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

    def weave(
        self,
        content: str,
        contents: tuple[Item, ...],
        show: Show,
        wrong: Mapping[Directive, str] | None = None,
    ) -> tuple[str, tuple[Item, ...]]:
        """Return a page's content, and its table of contents, without marks; pictures come later.

        If `wrong`, the sentences on directives that can't be shown, is given, a notice is in the place of
        those, and of what else can't be shown.
        """
        self.serving, self.wrong = wrong is not None, wrong or {}

        def put(match: re.Match[str]) -> str:
            return self._shown(match, show)

        def titled(items: tuple[Item, ...]) -> tuple[Item, ...]:
            return tuple(Item(title(one.title), one.id, one.level, titled(one.children)) for one in items)

        def title(text: str) -> str:
            return MARK.sub(lambda match: re.sub("<[^>]*>", "", put(match)), text)

        content = MARK.sub(put, content).replace("<th></th>", "<td></td>")  # no empty headings
        return content, titled(contents)

    def add_pictures(self, content: str) -> str:
        """Return a page's content with its pictures."""
        return PICTURE.sub(lambda mark: self.pictures.get(mark[1], mark[0]), content)

    def at(self, mark: str) -> Directive | None:
        """Return the directive that a mark stands for, None if another plugin put the character there."""
        number = ord(mark) - FIRST
        return self.directives[number] if 0 <= number < len(self.directives) else None

    def _shown(self, match: re.Match[str], show: Show) -> str:
        block, in_formula, number, inline = match.groups()
        mark = block or number or inline
        directive = self.at(mark)
        if directive is None:
            return match[0]
        if directive.is_block and not block:
            raise directive.problem(f"{a(directive.kind)} inside other text or code. Move it out.")
        try:
            html = self._noticed(directive, self.wrong.get(directive), show)
            html = html or self.html(directive, show, mark, bool(in_formula))
        except Problem as problem:
            if not self.serving:
                raise
            html = self._noticed(directive, str(problem), show)
        html = FIGURE.sub(self._identified, html)
        if directive.is_drawn:
            self.pictures[mark] = html
            return f"<p data-search-exclude>{mark}</p>"
        return f"<p>{html}</p>" if block and not directive.is_block else html

    def _noticed(self, directive: Directive, sentence: str | None, show: Show) -> str:
        """Return the notice for a directive that can't be shown; nothing if there is no sentence on it.

        A page says a sentence once, and at the cell that it is about.
        """
        if isinstance(directive, EndDirective) and directive.ends and directive.ends.line in self._unopened:
            return " "
        if sentence is None:
            return ""
        self._unopened.add(directive.line)
        if sentence == RUNNING:
            self.told.append(sentence)
            return notice(show.words["running"], "", directive.is_block, "weaver-running")
        text = sentence if sentence not in self.told or isinstance(directive, CellDirective) else ""
        self.told.append(sentence)
        return notice(show.words["problem"], text, directive.is_block)

    def _identified(self, figure: re.Match[str]) -> str:
        """Return the beginning of a figure with its id, unless the page shows that program above."""
        is_first = figure[2] not in self.figures
        self.figures.add(figure[2])
        return figure[0] if is_first else figure[1]

    @property
    def scripts(self) -> dict[str, str]:
        """What the page's what-ifs ask for when readers choose: by the names of files beside the page."""
        return {one.file(self.page): one.text for one in self.variants.values()}

    def html(self, directive: Directive, show: Show, mark: str, in_formula: bool) -> str:
        """Return the directive's HTML; note what other variants of its program put in its place."""
        if in_formula and directive.within:
            raise directive.problem("a formula doesn't change with the choice. Write the value as text.")
        if in_formula:
            return directive.mathml(show)
        if isinstance(directive, EndDirective) and directive.ends and directive.ends.flips:
            return self.variants[directive.ends.line].reference(self.page) + directive.html(show)
        if not directive.what_if:
            return directive.html(show)
        flips = self.variants.setdefault(directive.what_if.line, Variants(directive.what_if, show))
        return flips.add(directive, str(ord(mark) - FIRST))
