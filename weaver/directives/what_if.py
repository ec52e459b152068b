"""`{{ what-if topic/lesson }}` to `{{ end }}`: a program whose alternatives were all run; readers choose.

What stands in the body and asks the same program follows the choice. Wrong choices, listed right below,
let the reader predict what another variant gives.
"""

from collections.abc import Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from html import escape

from weaver.directives.kind import Argument, Directive
from weaver.directives.question import choices_html, given, shuffled
from weaver.directives.show import Show
from weaver.directives.snippet import SnippetKind, output_html, trace_html
from weaver.execution.protocol import Kind as Asks
from weaver.execution.protocol import Query
from weaver.execution.snippets.offers import Place
from weaver.execution.snippets.spots import NOTHING
from weaver.problem import Problem
from weaver.render import html, markdown, plot
from weaver.render.html import shown_as_code

PREDICT = '<fieldset class="predict" data-flip="predict" hidden></fieldset>'


class WhatIfKind(SnippetKind):
    name = "what-if"
    usage = "{{ what-if topic/lesson }}"
    argument = Argument.OPTIONAL
    has_body = True
    flips = True
    close_html = "</section>"

    def asks(self, directive):
        return [(directive.name, Query(Asks.TEXT, directive.argument) if directive.argument else None)]

    def html(self, directive, show):
        snippet, file = show.snippets[directive.name], f"{directive.name}.py"
        _want_wrong_choices(directive, show)
        button, place = trace_html(show, directive.name, f"trace-{directive.line}")
        pieces = self.pieces(directive, show)
        figure = html.figure(
            html.title(f"{show.programs}/{file}", file, button)
            + f'<div class="offers">{html.framed(pieces["code"])}{_controls(directive, show)}</div>'
            + (PREDICT if directive.wrong else "")
            + f'{place}<div data-flip="output" role="status">{pieces["output"]}</div>',
            directive.name,
        )
        sizes = " ".join(str(len(place.options)) for place in snippet.places)
        own = snippet.variants.index(snippet)
        return (
            f'<section class="what-if" data-name="{directive.name}" data-line="{directive.line}" '
            f'data-own="{own}" data-sizes="{sizes}">'
            f"{figure}{_plot(directive, show)}{_table_html(directive, show)}"
        )

    def pieces(self, directive, show):
        found = {"code": _code(directive, show), "output": _output(directive, show)}
        if directive.wrong:
            found["predict"] = _prediction(directive, show) if show.first else ""
        return found

    def markdown(self, directive, show):
        return super().markdown(directive, show) + _table_markdown(directive, show)

    def notebook(self, directive, show, cells):
        super().notebook(directive, show, cells)
        cells.text += _table_markdown(directive, show)


def _code(directive, show):
    """Return the lines of a variant, marked: its places, where the controls go, and what the first lacks."""
    snippet = show.snippets[directive.name]
    at = {
        end: " ".join(str(number) for number, other in enumerate(snippet.ends) if other == end)
        for end in snippet.ends
    }
    marks = {end: f' data-place="{numbers}"' for end, numbers in at.items()}
    for line in snippet.changed:
        marks[line] = f'{marks.get(line, "")} class="differs"'
    return html.code_lines(snippet.code, snippet.first_line, tuple(sorted(marks.items())))


def _output(directive, show):
    lines = show.results[directive.name].lines
    before = show.first.results[directive.name].lines if show.first else lines
    differing = _differing([line.text for line in before], [line.text for line in lines])
    shown = output_html(directive, show, differing)
    return shown or f'<div class="output differs"><p>{show.words["what_if_no_output"]}</p></div>'


def _differing(before: Sequence[str], after: Sequence[str]) -> set[int]:
    """Return the indices of the lines in `after` that `before` does not have at that place."""
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return set(range(len(after))) - {block.b + i for block in blocks for i in range(block.size)}


def _prediction(directive, show):
    """Return what the reader is asked before another variant's output is shown.

    What is wrong there may be what a third variant gives.
    """
    right = given(directive, show)
    texts = {*directive.wrong, right, given(directive, show.first)}
    return choices_html(directive, [(text, text == right) for text in shuffled(directive, texts)], show.words)


def _want_wrong_choices(directive, show):
    """Raise Problem for a wrong choice that is right whatever the reader chooses."""
    rights = set()
    for there in show.variants(directive.name) if directive.wrong else ():
        with suppress(Problem):  # a variant that raises before there is anything to predict
            rights |= {given(directive, there)} if there.first else set()
    if len(rights) == 1 and rights & set(directive.wrong):
        raise directive.problem(
            f"`{rights.pop()}` is listed as a wrong choice, but every variant gives it. "
            "Remove it from the list."
        )


def _controls(directive: Directive, show: Show) -> str:
    """Return a control for each place: a button for each alternative, or, for numbers, a slider."""
    return "".join(
        (_slider if place.is_number else _buttons)(
            place, f"flip-{directive.line}-{number}", number, show.words
        )
        for number, place in enumerate(show.snippets[directive.name].places)
    )


def _buttons(place, group, number, words):
    options = "".join(
        f'<label><input type="radio" name="{group}" value="{index}"{" checked" * (index == place.own)}>'
        f"{_option_html(option.text, words)}</label>"
        for index, option in enumerate(place.options)
    )
    label = escape(f"{words['what_if']}: {place.around}".removesuffix(": "))
    return (
        f'<div class="offer" data-at="{number}" role="radiogroup" aria-label="{label}" data-search-exclude>'
        f'<span aria-hidden="true">{words["what_if"]}</span>{options}</div>'
    )


def _slider(place, group, number, words):
    texts = " ".join(option.text for option in place.options)
    label = escape(f"{words['what_if']}: {place.around}")
    own, last = place.options[place.own].text, len(place.options) - 1
    return (
        f'<div class="offer" data-at="{number}" data-search-exclude>'
        f'<span aria-hidden="true">{words["what_if"]}</span>'
        f'<input type="range" id="{group}" min="0" max="{last}" value="{place.own}" aria-label="{label}" '
        f'aria-valuetext="{own}" data-texts="{texts}"><output for="{group}">{own}</output></div>'
    )


def _option_html(text, words):
    return words["what_if_nothing"] if text == NOTHING else shown_as_code(text)


def _plot(directive: Directive, show: Show) -> str:
    """Return the plot of the directive's expression against a place's numbers, a line for each alternative
    of the other place; nothing if there is no such place, or the expression gives no number."""
    snippet = show.snippets[directive.name]
    number = next((at for at, one in enumerate(snippet.places) if one.is_number), None)
    if number is None or not directive.argument or len(snippet.places[number].options) < plot.FEWEST:
        return ""
    lines: dict[str, list[tuple[int, float, float | None]]] = {}
    for index, there in enumerate(show.variants(directive.name)):
        one = there.snippets[directive.name]
        texts = [place.options[at].text for place, at in zip(one.places, one.choice, strict=True)]
        x = float(texts.pop(number))
        lines.setdefault("".join(texts), []).append((index, x, plot.number(directive.answer(there))))
    if any(y is None for points in lines.values() for _, _, y in points):
        return ""
    series = [plot.Series(name, *zip(*points, strict=True)) for name, points in lines.items()]
    label, marks = show.words["what_if_plot"], len(plot.MARKS)
    drawn = plot.draw(series, snippet.variants.index(snippet), label.format(value=directive.argument))
    names = [f'<li class="s{at % marks}">{shown_as_code(name)}</li>' for at, name in enumerate(lines) if name]
    listed = f"<ul>{''.join(names)}</ul>" if names else ""
    return (
        f'<figure class="plot" data-search-exclude><figcaption>'
        f"{label.format(value=shown_as_code(directive.argument))}</figcaption>"
        f"{drawn}{listed}</figure>"
    )


def _rows(directive: Directive, show: Show) -> list[tuple[list[str], list[str]]]:
    """Return for each variant what is chosen, and the lines that it prints."""
    return [
        (
            [place.options[at].text for place, at in zip(one.places, one.choice, strict=True)],
            [line.text for line in there.results[directive.name].lines],
        )
        for there in show.variants(directive.name)
        for one in [there.snippets[directive.name]]
    ]


def _table_html(directive, show):
    words, rows = show.words, _rows(directive, show)
    heads = "".join(f"<th>{_head(place, words, shown_as_code)}</th>" for place in _places(directive, show))
    body = "".join(
        f"<tr>{''.join(f'<td>{_option_html(text, words)}</td>' for text in chosen)}"
        f"<td>{'<br>'.join(map(shown_as_code, printed))}</td></tr>"
        for chosen, printed in rows
    )
    summary = words["what_if_all"].format(number=len(rows))
    head = f"<thead><tr>{heads}<th>{words['output']}</th></tr></thead>"
    return (
        f'<details class="outputs" data-search-exclude><summary>{summary}</summary>'
        f'<div class="run-table" tabindex="0"><table>{head}<tbody>{body}</tbody></table></div></details>'
    )


def _table_markdown(directive, show):
    words = show.words
    head = [_head(place, words, markdown.span) for place in _places(directive, show)]
    rows = [
        [words["what_if_nothing"] if text == NOTHING else markdown.span(text) for text in chosen]
        + ["<br>".join(map(markdown.span, printed))]
        for chosen, printed in _rows(directive, show)
    ]
    return f"\n{markdown.table([*head, show.output_head], rows)}\n"


def _places(directive, show) -> tuple[Place, ...]:
    return show.snippets[directive.name].places


def _head(place, words, as_code):
    return f"{words['what_if']}: {as_code(place.around)}" if place.around else words["what_if"]
