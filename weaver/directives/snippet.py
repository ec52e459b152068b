"""`{{ snippet topic/lesson }}`: a program, and what it printed."""

from collections.abc import Container, Mapping
from typing import Any

from weaver.directives.directive import Argument, Cells, Directive, Show
from weaver.execution.snippets.result import Result
from weaver.render import html, markdown


class SnippetDirective(Directive):
    kind = "snippet"
    usage = "{{ snippet topic/lesson }}"
    takes = Argument.NONE
    shows_program = True
    is_traced = True

    def html(self, show: Show) -> str:
        button = self.trace_html(show)
        return html.figure(self.program_html(show, button) + self.output_html(show), self.name)

    def markdown(self, show: Show) -> str:
        return self.program_markdown(show) + self.output_markdown(show)

    def notebook(self, show: Show, cells: Cells) -> None:
        result = show.result(self.name)
        cells.add_code(show.snippets[self.name].code, _outputs(result), tags(result))

    def title_html(self, show: Show, button: str = "") -> str:
        """Return the program's title, which leads to the file, and a button there."""
        return html.title(f"{show.programs}/{self.name}.py", f"{self.name}.py", button)

    def program_html(self, show: Show, button: str = "") -> str:
        """Return the program with its title, and a button there."""
        snippet = show.snippets[self.name]
        return self.title_html(show, button) + html.code(snippet.code, snippet.first_line)

    def trace_html(self, show: Show) -> str:
        """Return the button that opens the program's trace."""
        return trace_html(show, self.name, f"trace-{self.line}")

    def output_html(self, show: Show, differing: Container[int] = ()) -> str:
        """Return what the program printed; `differing` as for `html.printed`."""
        lines, spread = show.result(self.name).lines, show.spread(self.name)
        other = spread.html([line.text for line in lines])
        return html.output(show.output_head(*spread.remark), html.printed(lines, differing) + other)

    def program_markdown(self, show: Show) -> str:
        """Return the program as a fence."""
        return markdown.fenced("python", show.snippets[self.name].code)

    def output_markdown(self, show: Show) -> str:
        """Return what the program printed as a fence, below a line that says so."""
        spread = show.spread(self.name)
        head = show.output_head(*spread.remark)
        return markdown.printed(head, show.result(self.name).output) + spread.markdown()


def trace_html(show: Show, name: str, place: str, start: int = 1) -> str:
    """Return the button that opens the trace of a program at the moment `start`, in a `place`: an id.

    It's empty where there is no trace.
    """
    if show.result(name).trace is None:
        return ""
    own = show.snippets[name].name  # that of the variant that is shown
    return html.stepper(f"{show.programs}/{own}.trace.js", own, place, show.words["step"], start)


def tags(result: Result) -> list[str]:
    """Return what tells Jupyter to go on after a snippet that ends in an error."""
    return ["raises-exception"] if result.error else []


def _outputs(result: Result) -> list[Mapping[str, Any]]:
    """Return the output of a snippet as Jupyter would hold it: stdout, stderr, the error."""
    outputs: list[Mapping[str, Any]] = []
    for kind, name in (("out", "stdout"), ("err", "stderr")):
        if text := "".join(f"{line.text}\n" for line in result.lines if line.kind == kind):
            outputs.append({"output_type": "stream", "name": name, "text": text})
    if result.error:
        name, _, value = result.error.partition(": ")
        error = {"ename": name.split(".")[-1], "evalue": value, "traceback": [result.error]}
        outputs.append({"output_type": "error", **error})
    return outputs
