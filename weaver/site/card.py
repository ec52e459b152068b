"""The picture of a page for links to it: its first program with its output and its graph, without words."""

import base64
import hashlib
import re
import textwrap
from html import escape

from pygments.lexers import PythonLexer
from pygments.token import Comment, Keyword, Number, String

from weaver.directives.directive import Directive, Show
from weaver.directives.graph import GraphDirective
from weaver.directives.question import QuestionDirective
from weaver.escape import visible
from weaver.execution.cache import key
from weaver.execution.fingerprint import fingerprint
from weaver.graph.picture.figure import drawings
from weaver.graph.picture.png import encoded
from weaver.pages.model import Page

WIDTH, HEIGHT, MARGIN = 1200, 630, 50  # pixels; the first two are what networks ask for
GRAPH = 400  # pixels that a graph may be wide
LARGEST, HIGH, ADVANCE = 30, 1.4, 0.602  # pixels of letters; of lines and columns, in those
MOST, PRINTED = (64, 13), 5  # columns and lines for which letters get smaller; lines of an output
GROUND, INK, QUIET, ACCENT = "#20303f", "#f3f6f9", "#aeb9c5", "#ffa26b"
COLORS = {Keyword: "#8fb8ff", String: "#62d19a", Number: "#ff9487", Comment: QUIET}
LEXER = PythonLexer(stripnl=False)


def card(page: Page, show: Show) -> tuple[str, bytes] | None:
    """Return the path in the site of a page's picture, and the picture; None without a program to show."""
    programs = [one for one in page.directives if one.shows_program and one.name in show.snippets]
    if not programs:
        return None
    first = next((one for one in programs if not isinstance(one, QuestionDirective)), programs[0])
    drawn = (one for one in page.directives if isinstance(one, GraphDirective))
    graphs = [one for one in drawn if one.name == first.name]
    recorded = graphs[0].answers(show)[0] if graphs else ""
    code, output = show.snippets[first.name].code, show.result(first.name).output
    made_of = fingerprint("weaver.site.card"), "card", first.name, code, output, recorded, show.torch
    data = base64.b64decode(show.keep(key(*made_of), lambda: encoded(svg(first, show, recorded))))
    path = f"cards/{first.name.replace('/', '-')}.{hashlib.sha256(data).hexdigest()[:8]}.png"
    return path, data


def svg(directive: Directive, show: Show, recorded: str = "") -> str:
    """Return the picture of a directive's program, and of the graph that was `recorded` of it, as SVG.

    What is too long for it ends in an ellipsis.
    """
    code = show.snippets[directive.name].code.strip().split("\n")
    printed = visible(show.result(directive.name).output).strip().split("\n")
    room = WIDTH - 2 * MARGIN - (GRAPH + MARGIN if recorded else 0)
    columns = min(max(1, *map(len, code)), MOST[0])
    lines = min(len(code), MOST[1]) + min(len(printed), PRINTED) + 4
    size = min(LARGEST, room / (columns * ADVANCE), (HEIGHT - 2 * MARGIN) / (lines * HIGH))
    lines, columns = int((HEIGHT - 2 * MARGIN) / (size * HIGH) + 0.01), int(room / (size * ADVANCE) + 0.01)
    printed = [piece for line in printed for piece in textwrap.wrap(line, columns) or [""]]
    printed = _cut(printed, PRINTED, columns)
    code = _cut(code, lines - len(printed) - 4, columns)
    version = f"torch {show.torch}" if show.torch else ""
    rows = [_row(f"{directive.name}.py", ACCENT), "", *_colored("\n".join(code)), "", _row(version, QUIET)]
    rows += [_row(line, INK) for line in printed]
    top = (HEIGHT - len(rows) * size * HIGH) / 2 + size
    drawn = "".join(
        f'<text x="{MARGIN}" y="{top + number * size * HIGH:.1f}" xml:space="preserve" '
        f"style=\"font: {size:.1f}px 'DejaVu Sans Mono'; text-anchor: start\">{row}</text>"
        for number, row in enumerate(rows)
        if row
    )
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{GROUND}"/>'
    return f'<svg width="{WIDTH}" height="{HEIGHT}">{ground}{drawn}{_graph(recorded)}</svg>'


def _graph(recorded: str) -> str:
    if not recorded:
        return ""
    [(_, _, drawn)] = drawings([recorded])
    left, height = WIDTH - MARGIN - GRAPH, HEIGHT - 2 * MARGIN
    placed = f'<svg x="{left + 15}" y="{MARGIN + 15}" width="{GRAPH - 30}" height="{height - 30}"'
    inside = re.sub(r'<svg (viewBox="[^"]*") width="[^"]*" height="[^"]*"', rf"{placed} \1", drawn, count=1)
    return f'<rect x="{left}" y="{MARGIN}" width="{GRAPH}" height="{height}" rx="16" fill="#fff"/>{inside}'


def _cut(lines: list[str], most: int, columns: int) -> list[str]:
    """Return the first lines, `most` at most, each of so many columns at most."""
    kept = lines if len(lines) <= most else [*lines[: most - 1], "…"]
    return [line if len(line) <= columns else f"{line[: columns - 1]}…" for line in kept]


def _colored(code: str) -> list[str]:
    rows = [""]
    for kind, text in LEXER.get_tokens(code):
        color = next((color for family, color in COLORS.items() if kind in family), INK)
        first, *rest = text.split("\n")
        rows[-1] += _row(first, color)
        rows += [_row(one, color) for one in rest]
    return rows[: code.count("\n") + 1]


def _row(text: str, color: str) -> str:
    return text and f'<tspan style="fill: {color}">{escape(text)}</tspan>'
