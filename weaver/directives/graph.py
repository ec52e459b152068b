"""`{{ graph topic/lesson z, backward=1 | topic/other y }}`: the graphs that lead to variables, in steps."""

import ast
import re
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape

from weaver.directives.kind import Kind
from weaver.directives.snippet import trace_html
from weaver.directives.variables import check_variables
from weaver.execution.protocol import Kind as Asks
from weaver.execution.protocol import Query
from weaver.execution.snippets.source import NAME
from weaver.graph import variables
from weaver.graph.picture import figure, png
from weaver.graph.picture.fold import LARGEST, TooLarge, fold
from weaver.graph.picture.sentences import tell
from weaver.graph.recorded import Graph, read
from weaver.render import html, markdown
from weaver.trace import compact, moments

PANEL = re.compile(rf"(?:(?P<name>{NAME.pattern})\s+)?(?P<variables>.*)")


@dataclass(frozen=True)
class Panel:
    """One picture of a graph: of which program, which variables, and which backward pass, in words."""

    name: str
    variables: str
    shown: str


class GraphKind(Kind):
    name = "graph"
    usage = "{{ graph topic/lesson z, backward=1 }}"
    is_drawn = True
    is_traced = True

    def check(self, directive):
        for _, query in self.asks(directive):
            check_variables(directive, query.argument, ["backward"])

    def asks(self, directive):
        panels = [PANEL.fullmatch(part.strip()) for part in directive.argument.split("|")]
        return [(panel["name"] or directive.name, Query(Asks.GRAPH, panel["variables"])) for panel in panels]

    def asked(self, directive, query):
        return query.argument

    def html(self, directive, show):
        traces = [show.results[name].trace for name, _ in directive.queries]
        return directive.kept(show, "html", lambda: _figure(directive, show), traces, directive.line)

    def markdown(self, directive, show):
        return directive.kept(show, "markdown", lambda: _told(directive, show, [""] * len(directive.queries)))

    def notebook(self, directive, show, cells):
        cells.text += directive.kept(
            show, "notebook", lambda: _told(directive, show, _images(directive, show))
        )


def _panels(directive, show):
    for name, query in directive.queries:
        names, options = variables.parse(query.argument)
        number = ast.unparse(options["backward"]) if options else ""
        ordinal = show.words["graph_numbers"].get(number, show.words["graph_number"].format(number=number))
        shown = show.words["graph_pass"].format(number=ordinal) if number else ""
        yield Panel(name, ", ".join(map(ast.unparse, names)), shown)


def _figure(directive, show):
    answers = zip(_panels(directive, show), directive.answers(show), strict=True)
    panels = [_panel(directive, show, number, *one) for number, one in enumerate(answers)]
    words, before = show.words, directive.answers(show.first) if show.first else ()
    if before:
        words = {**words, "graph_key_differs": words["what_if_differs"]}
    with _sized(directive):
        return figure.figure(panels, words, before)


def _panel(directive, show, number, panel, recorded):
    """Return a panel whose steps open the trace of its program where the engine takes them."""
    title = (
        f"<code>{escape(panel.variables)}</code> {panel.shown and panel.shown + ' '}"
        f"<small>{panel.name}.py</small>"
    )
    trace = show.results[panel.name].trace
    if trace is None:
        return figure.Panel(title, recorded)
    place, graph = f"trace-{directive.line}-{number}", read(recorded, Graph)
    visits = moments.visits(compact.read(trace))
    named = {box.id: box.node or "AccumulateGrad" for box in graph.boxes}
    found = {
        step: visits[step.visit][0]
        for step in graph.steps
        if step.visit in visits and visits[step.visit][1] == named[step.at]
    }
    start = min(found.values(), default=1)
    opener = "".join(trace_html(show, panel.name, place, start))
    return figure.Panel(title, recorded, opener, lambda step: _go(found.get(step), place, show))


def _go(moment, place, show):
    return "" if moment is None else " " + html.step_button(place, moment, show.words["step"])


def _images(directive, show):
    with _sized(directive):
        svgs = [svg for *_, svg in figure.drawings(directive.answers(show))]
    return [
        png.image(svg, f"{show.words['graph']}: {query.argument}") + "\n"
        for svg, (_, query) in zip(svgs, directive.queries, strict=True)
    ]


def _told(directive, show, pictures):
    told = ""
    for panel, seen, picture in zip(_panels(directive, show), directive.answers(show), pictures, strict=True):
        name = f"{show.words['graph']}: {markdown.span(panel.variables)}"
        title = ", ".join(filter(None, (name, panel.shown, f"{panel.name}.py")))
        with _sized(directive):
            steps = tell(fold(read(seen, Graph)), show.words)
        told += f"{title}\n\n{picture}\n"
        told += "".join(f"1. {markdown.plain(sentence)}\n" for sentence, _ in steps) + "\n"
    return told


@contextmanager
def _sized(directive):
    """Turn a graph that is too large to be drawn into a sentence with the directive's place."""
    try:
        yield
    except TooLarge as error:
        raise directive.problem(
            f"the graph of `{directive.argument}` has {error} boxes, even folded; the limit is {LARGEST}. "
            "Draw a smaller part of it."
        ) from None
