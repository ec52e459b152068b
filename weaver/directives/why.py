"""`{{ why topic/lesson }}`: what `weaver why` says of a program, as a terminal shows it."""

from collections.abc import Iterator
from html import escape

from weaver.directives.directive import Argument, Directive, Need, Show
from weaver.escape import visible
from weaver.execution.protocol import WHY, Query
from weaver.recording import compact
from weaver.render import markdown
from weaver.why.findings import find_with_facts
from weaver.why.report import FindingsReport
from weaver.why.run import WatchedRun


class WhyDirective(Directive):
    kind = "why"
    usage = "{{ why topic/lesson }}"
    takes = Argument.NONE
    needs = frozenset({Need.WHY})

    @property
    def query(self) -> Query:
        return WHY

    def html(self, show: Show) -> str:
        lines = "".join(self._lines(show))
        return f'<div class="output" data-search-exclude><pre class="why">{lines}</pre></div>'

    def markdown(self, show: Show) -> str:
        lines = (text for text, _ in self._report(show).lines())
        return markdown.fenced("text", visible("\n".join([self._command(show), *lines])))

    def _lines(self, show: Show) -> Iterator[str]:
        """Yield an element for each line: how bad it is in bold, a section as a link if the site has it."""
        report = self._report(show)
        links = dict(_links(report, show))
        yield f"<span>{escape(self._command(show))}\n</span>"
        for text, color in report.lines():
            before, _, last = text.rpartition(" ")
            shown = escape(visible(text))
            if last in links:
                shown = f'{escape(before)} <a href="{links[last]}">{last}</a>'
            tag = "strong" if color else "span"
            yield f"<{tag}>{shown}\n</{tag}>"

    def _command(self, show: Show) -> str:
        return f"$ weaver why {show.snippets[self.name].path.name}"

    def _report(self, show: Show) -> FindingsReport:
        result = show.result(self.name)
        if not any(answer.query == WHY for answer in result.answers):
            raise self.problem(
                f"snippet `{self.name}` can't be watched: {result.untraced}. Name one that can."
            )
        run = WatchedRun(compact.read(self.answer(show)), show.snippets[self.name].source)
        return FindingsReport(run, find_with_facts(run), show.why)


def _links(report: FindingsReport, show: Show) -> Iterator[tuple[str, str]]:
    """Yield the sections that a report names, each with its address if the site has the page."""
    for section in map(report.section, report.found):
        page, _, part = section.partition("#")
        if page in show.pages:
            yield section, f"{show.pages[page]}#{part}"
