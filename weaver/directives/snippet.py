"""`{{ snippet topic/lesson }}`: a program, and what it printed."""

from collections.abc import Container, Mapping
from typing import Any

from weaver.directives.kind import Argument, Directive, Kind
from weaver.directives.show import Show
from weaver.execution.snippets.result import Result
from weaver.render import html, markdown


class SnippetKind(Kind):
    name = "snippet"
    usage = "{{ snippet topic/lesson }}"
    argument = Argument.NONE
    shows_program = True
    is_traced = True

    def html(self, directive, show):
        button, place = trace_html(show, directive.name, f"trace-{directive.line}")
        inside = program_html(directive, show, button) + place + output_html(directive, show)
        return html.figure(inside, directive.name)

    def markdown(self, directive, show):
        return program_markdown(directive, show) + output_markdown(directive, show)

    def notebook(self, directive, show, cells):
        result = show.results[directive.name]
        cells.add_code(show.snippets[directive.name].code, _outputs(result), tags(result))


def program_html(directive: Directive, show: Show, button: str = "") -> str:
    """Return the directive's program with its title, which leads to the file, and a button there."""
    snippet, file = show.snippets[directive.name], f"{directive.name}.py"
    return html.title(f"{show.programs}/{file}", file, button) + html.code(snippet.code, snippet.first_line)


def trace_html(show: Show, name: str, place: str, start: int = 1) -> tuple[str, str]:
    """Return the button that opens the trace of a program, and the place, an id, where it opens.

    It opens at the moment `start`. Both are empty where there is no trace.
    """
    if show.results[name].trace is None:
        return "", ""
    own = show.snippets[name].name  # that of the variant that is shown
    return html.stepper(f"{show.programs}/{own}.trace.js", own, place, show.words["step"], start)


def output_html(directive: Directive, show: Show, differing: Container[int] = ()) -> str:
    """Return what the directive's program printed; `differing` as for `html.printed`."""
    return html.output(show.output_html(), html.printed(show.results[directive.name].lines, differing))


def program_markdown(directive: Directive, show: Show) -> str:
    """Return the directive's program as a fence."""
    return markdown.fenced("python", show.snippets[directive.name].code)


def output_markdown(directive: Directive, show: Show) -> str:
    """Return what the directive's program printed as a fence, below a line that says so."""
    return markdown.printed(show.output_head, show.results[directive.name].output)


def tags(result: Result) -> list[str]:
    """Return what tells Jupyter to go on after a snippet that ends in an error."""
    return ["raises-exception"] if result.error else []


def _outputs(result: Result) -> list[Mapping[str, Any]]:
    """Return the output of a snippet as Jupyter would hold it: stdout, stderr, the error."""
    outputs = []
    for kind, name in (("out", "stdout"), ("err", "stderr")):
        if text := "".join(f"{line.text}\n" for line in result.lines if line.kind == kind):
            outputs.append({"output_type": "stream", "name": name, "text": text})
    if result.error:
        name, _, value = result.error.partition(": ")
        error = {"ename": name.split(".")[-1], "evalue": value, "traceback": [result.error]}
        outputs.append({"output_type": "error", **error})
    return outputs
