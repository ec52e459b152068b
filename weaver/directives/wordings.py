"""`{{ wordings topic/lesson }}`: a program's message, or what else it prints, in each version of torch."""

import re
from html import escape

from weaver.directives.directive import Argument, Directive, Show
from weaver.escape import visible
from weaver.render import html, markdown

MESSAGE = re.compile(r"^(?:\w+\.)*\w+(?:Error|Warning|Exception): .*", re.MULTILINE)


class WordingsDirective(Directive):
    kind = "wordings"
    usage = "{{ wordings topic/lesson }}"
    takes = Argument.NONE

    def html(self, show: Show) -> str:
        heads = [f"<th>{head}</th>" for head in ("torch", show.words["output"])]
        cells = [(versions, escape(visible(said))) for versions, said in self._rows(show)]
        rows = [
            [f'<th scope="row">{versions}</th>', f'<td><code class="error">{said}</code></td>']
            for versions, said in cells
        ]
        return html.table(heads, rows)

    def markdown(self, show: Show) -> str:
        rows = [[versions, markdown.span(said)] for versions, said in self._rows(show)]
        return markdown.table(["torch", show.words["output"]], rows)

    def _rows(self, show: Show) -> list[tuple[str, str]]:
        """Return what the program says, each time with the versions in words, the oldest first."""
        spread, said = show.spread(self.name), dict[str, list[str]]()
        for versions, output in [(spread.same, show.result(self.name).output), *spread.others]:
            messages = MESSAGE.findall(output) or [output.strip() or show.words["what_if_no_output"]]
            said.setdefault(messages[-1], []).extend(versions)
        return [(spread.spans(versions), text) for text, versions in sorted(said.items(), key=_oldest)]


def _oldest(said: tuple[str, list[str]]) -> tuple[int, ...]:
    return min(tuple(map(int, version.split("."))) for version in said[1])
