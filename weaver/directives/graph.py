"""`{{ graph topic/lesson z, backward=1 | topic/other y }}`: the graphs that lead to variables, in steps."""

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape

from weaver.directives.directive import Show
from weaver.directives.drawing import DrawingDirective
from weaver.directives.snippet import trace_html
from weaver.execution.protocol import Kind, Query
from weaver.execution.snippets.source import NAME
from weaver.graph import variables
from weaver.graph.picture import figure, png
from weaver.graph.picture.figure import Panel
from weaver.graph.picture.fold import LARGEST, TooLarge, fold
from weaver.graph.picture.sentences import tell
from weaver.graph.recorded import Graph, read
from weaver.player import moments
from weaver.recording import compact
from weaver.render import markdown

PANEL = re.compile(rf"(?:({NAME.pattern})\s+)?(.*)")


@dataclass(frozen=True)
class Drawn:
    """One picture of a graph: its program, its variables, its backward pass in words, and the answer."""

    name: str
    variables: str
    backward: str
    recorded: str


class GraphDirective(DrawingDirective):
    kind = "graph"
    usage = "{{ graph topic/lesson z, backward=1 }}"
    is_traced = True

    def check(self) -> None:
        for _, query in self.queries:
            self.check_variables(query.argument, ["backward"])

    @property
    def asks(self) -> list[tuple[str, Query | None]]:
        panels = [re.fullmatch(PANEL, part.strip()) for part in self.argument.split("|")]
        return [(one[1] or self.name, Query(Kind.GRAPH, one[2])) for one in panels if one]

    def figure(self, show: Show) -> str:
        panels = [self._panel(show, number, drawn) for number, drawn in enumerate(self._drawn(show))]
        words, before = show.words, self.answers(show.first) if show.first else ()
        if before:
            words = {**words, "graph_key_differs": words["what_if_differs"]}
        with self._sized():
            return figure.figure(panels, words, before)

    def images(self, show: Show) -> list[str]:
        with self._sized():
            svgs = [svg for *_, svg in figure.drawings(self.answers(show))]
        return [
            png.image(svg, f"{show.words['graph']}: {query.argument}") + "\n"
            for svg, (_, query) in zip(svgs, self.queries, strict=True)
        ]

    def told(self, show: Show, images: list[str]) -> str:
        told = ""
        for drawn, image in zip(self._drawn(show), images, strict=True):
            name = f"{show.words['graph']}: {markdown.span(drawn.variables)}"
            title = ", ".join(filter(None, (name, drawn.backward, f"{drawn.name}.py")))
            with self._sized():
                steps = tell(fold(read(drawn.recorded, Graph)), show.words)
            told += f"{title}\n\n{image}\n"
            told += "".join(f"1. {markdown.plain(sentence)}\n" for sentence, _ in steps) + "\n"
        return told

    def _drawn(self, show: Show) -> Iterator[Drawn]:
        words = show.words
        for (name, query), recorded in zip(self.queries, self.answers(show), strict=True):
            names, options = variables.parse(query.argument)
            number = ast.unparse(options["backward"]) if options else ""
            ordinal = words["graph_numbers"].get(number, words["graph_number"].format(number=number))
            backward = words["graph_pass"].format(number=ordinal) if number else ""
            yield Drawn(name, ", ".join(map(ast.unparse, names)), backward, recorded)

    def _panel(self, show: Show, number: int, drawn: Drawn) -> Panel:
        """Return a panel whose steps open the trace of its program where the engine takes them."""
        title = f"<code>{escape(drawn.variables)}</code> {drawn.backward}\n{drawn.name}.py"
        trace = show.result(drawn.name).trace
        if trace is None:
            return Panel(title, drawn.recorded)
        place, graph = f"trace-{self.line}-{number}", read(drawn.recorded, Graph)
        visits = moments.visits(compact.read(trace))
        named = {box.id: box.node or "AccumulateGrad" for box in graph.boxes}
        found = {
            step: visits[step.visit][0]
            for step in graph.steps
            if step.visit in visits and visits[step.visit][1] == named[step.at]
        }
        opener = trace_html(show, drawn.name, place, min(found.values(), default=1))
        return Panel(title, drawn.recorded, opener, place, found)

    @contextmanager
    def _sized(self) -> Iterator[None]:
        """Turn a graph that is too large to be drawn into a sentence with the directive's place."""
        try:
            yield
        except TooLarge as error:
            raise self.problem(
                f"the graph of `{self.argument}` has {error} boxes, even folded; the limit is {LARGEST}. "
                "Draw a smaller part of it."
            ) from None
