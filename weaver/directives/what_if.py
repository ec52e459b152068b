"""`{{ what-if topic/lesson }}` to `{{ end }}`: a program whose alternatives were all run; readers choose.

What's in the body and asks the same program follows the choice. Wrong choices, listed right below,
let the reader predict what another variant gives.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from html import escape
from typing import Any

from weaver.directives.body import BodyDirective
from weaver.directives.directive import Cells, Show
from weaver.execution.snippets.offers import Place
from weaver.execution.snippets.source import Snippet
from weaver.execution.snippets.spots import NOTHING
from weaver.problem import Problem
from weaver.render import html, markdown, plot
from weaver.render.html import shown, shown_as_code

PREDICT = '<fieldset class="predict" data-flip="predict" hidden></fieldset>'


class WhatIfDirective(BodyDirective):
    kind = "what-if"
    usage = "{{ what-if topic/lesson }}"
    inside = "a what-if"
    close_html = "</section>"
    flips = True
    wants_choices = False

    def html(self, show: Show) -> str:
        snippet = show.snippets[self.name]
        self._want_wrong_choices(show)
        controls = "".join(
            (_slider if place.is_number else _buttons)(place, f"flip-{self.line}-{at}", at, show.words)
            for at, place in enumerate(snippet.places)
        )
        figure = html.figure(
            self.title_html(show, self.trace_html(show))
            + f'<div class="offers">{html.framed(self._code(show), snippet.first_line)}{controls}</div>'
            + (PREDICT if self.wrong else "")
            + f'<div data-flip="output" role="status">{self._output(show)}</div>',
            self.name,
        )
        sizes = " ".join(str(len(place.options)) for place in snippet.places)
        return (
            f'<section class="what-if" data-name="{self.name}" data-line="{self.line}" '
            f'data-own="{snippet.variants.index(snippet)}" data-sizes="{sizes}">'
            f"{figure}{self._plot(show)}{self._table_html(show)}"
        )

    def pieces(self, show: Show) -> dict[str, str]:
        found = {"code": self._code(show), "output": self._output(show)}
        if self.wrong:
            found["predict"] = self._prediction(show)
        return found

    def markdown(self, show: Show) -> str:
        return super().markdown(show) + self._table_markdown(show)

    def notebook(self, show: Show, cells: Cells) -> None:
        super().notebook(show, cells)
        cells.text += self._table_markdown(show)

    def _code(self, show: Show) -> str:
        """Return a variant's lines, marked: its places, where the controls go, and what the first lacks."""
        snippet, marks = show.snippets[self.name], {}
        for end in snippet.ends:
            numbers = " ".join(str(number) for number, other in enumerate(snippet.ends) if other == end)
            marks[end] = f' data-place="{numbers}"'
        for line in snippet.changed:
            marks[line] = f'{marks.get(line, "")} class="differs"'
        return html.code_lines(snippet.code, snippet.first_line, marks)

    def _output(self, show: Show) -> str:
        """Return the output; the lines that the first variant doesn't print at that place are marked."""
        shows = show, show.first or show
        after, before = ([line.text for line in one.result(self.name).lines] for one in shows)
        shown = self.output_html(show, html.differing(before, after))
        return shown or f'<div class="output differs"><p>{show.words["what_if_no_output"]}</p></div>'

    def _prediction(self, show: Show) -> str:
        """Return what the reader is asked before another variant's output is shown.

        What is wrong there may be what a third variant gives.
        """
        if not show.first:
            return ""
        right = self.given(show)
        return self.choices_html({*self.wrong, right, self.given(show.first)}, right, show.words)

    def _want_wrong_choices(self, show: Show) -> None:
        """Raise Problem for a wrong choice that is right whatever the reader chooses."""
        rights = set()
        for there in show.variants(self.name) if self.wrong else ():
            with suppress(Problem):  # a variant that raises before there is anything to predict
                rights |= {self.given(there)} if there.first else set()
        if len(rights) == 1 and rights & set(self.wrong):
            raise self.problem(
                f"`{rights.pop()}` is listed as a wrong choice, but every variant gives it. "
                "Remove it from the list."
            )

    def _plot(self, show: Show) -> str:
        """Return the plot of the directive's expression against a place's numbers, a line for each
        alternative of the other place; nothing if there is no such place, or a value is no number."""
        snippet = show.snippets[self.name]
        number = next((at for at, one in enumerate(snippet.places) if one.is_number), None)
        if number is None or not self.argument or len(snippet.places[number].options) < plot.FEWEST:
            return ""
        lines: dict[str, list[plot.Point]] = {}
        for index, there in enumerate(show.variants(self.name)):
            texts = _chosen(there.snippets[self.name])
            x, y = float(texts.pop(number)), plot.number(self.answer(there))
            if y is None:
                return ""
            lines.setdefault("".join(texts), []).append((index, x, y))
        label, marks = show.words["what_if_plot"], len(plot.MARKS)
        drawn = plot.draw(lines, snippet.variants.index(snippet), label.format(value=self.argument))
        names = [
            f'<li class="s{at % marks}">{shown_as_code(name)}</li>' for at, name in enumerate(lines) if name
        ]
        listed = f"<ul>{''.join(names)}</ul>" if names else ""
        return (
            '<figure class="plot" data-search-exclude><figcaption>'
            f"{label.format(value=shown_as_code(self.argument))}</figcaption>{drawn}{listed}</figure>"
        )

    def _rows(
        self, show: Show, code: Callable[[str], str], printed: Callable[[list[str]], str]
    ) -> list[list[str]]:
        """Return for each variant what is chosen at each place, and the lines that it prints."""
        return [
            [
                *(_option(text, show.words, code) for text in _chosen(there.snippets[self.name])),
                printed([line.text for line in there.result(self.name).lines]),
            ]
            for there in show.variants(self.name)
        ]

    def _heads(self, show: Show, code: Callable[[str], str]) -> list[str]:
        what_if = show.words["what_if"]
        places = show.snippets[self.name].places
        return [f"{what_if}: {code(place.around)}" if place.around else what_if for place in places]

    def _table_html(self, show: Show) -> str:
        words = show.words
        rows = self._rows(show, shown, lambda lines: shown("\n".join(lines)))
        heads = [f"<th>{head}</th>" for head in (*self._heads(show, shown_as_code), words["output"])]
        cells = [[f"<td>{cell}</td>" for cell in row] for row in rows]
        table = html.table(heads, cells, "run-table coded")
        summary = words["what_if_all"].format(number=len(rows))
        return f'<details class="outputs" data-search-exclude><summary>{summary}</summary>{table}</details>'

    def _table_markdown(self, show: Show) -> str:
        heads = [*self._heads(show, markdown.span), show.output_head()]
        rows = self._rows(show, markdown.span, lambda lines: "<br>".join(map(markdown.span, lines)))
        return f"\n{markdown.table(heads, rows)}\n"


def _chosen(variant: Snippet) -> list[str]:
    """Return what a variant has at each place."""
    return [place.options[at].text for place, at in zip(variant.places, variant.choice, strict=True)]


def _option(text: str, words: Mapping[str, Any], code: Callable[[str], str]) -> str:
    """Return what is chosen at a place: code or, in words, nothing."""
    if text != NOTHING:
        return code(text)
    return f"<span>{words['what_if_nothing']}</span>" if code is shown else words["what_if_nothing"]


def _buttons(place: Place, group: str, number: int, words: Mapping[str, Any]) -> str:
    """Return a button for each alternative at a place."""
    options = "".join(
        f'<label><input type="radio" name="{group}" value="{index}"{" checked" * (index == place.own)}>'
        f"{_option(option.text, words, shown)}</label>"
        for index, option in enumerate(place.options)
    )
    label = escape(f"{words['what_if']}: {place.around}".removesuffix(": "))
    return (
        f'<div class="offer" data-at="{number}" role="radiogroup" aria-label="{label}" data-search-exclude>'
        f'<span aria-hidden="true">{words["what_if"]}</span>{options}</div>'
    )


def _slider(place: Place, group: str, number: int, words: Mapping[str, Any]) -> str:
    """Return a slider for the numbers at a place."""
    texts = " ".join(option.text for option in place.options)
    label = escape(f"{words['what_if']}: {place.around}")
    own, last = place.options[place.own].text, len(place.options) - 1
    return (
        f'<div class="offer" data-at="{number}" data-search-exclude>'
        f'<span aria-hidden="true">{words["what_if"]}</span>'
        f'<input type="range" id="{group}" min="0" max="{last}" value="{place.own}" aria-label="{label}" '
        f'aria-valuetext="{own}" data-texts="{texts}"><output for="{group}">{own}</output></div>'
    )
