"""`{{ wordings topic/lesson }}`: a program's message, or what else it prints, in each version of torch."""

import re
from difflib import SequenceMatcher

from weaver.directives.directive import Argument, Directive, Show
from weaver.render import html, markdown
from weaver.versions.record import order

MESSAGE = re.compile(r"^(?:\w+\.)*\w+(?:Error|Warning|Exception): .*", re.MULTILINE)


class WordingsDirective(Directive):
    kind = "wordings"
    usage = "{{ wordings topic/lesson }}"
    takes = Argument.NONE

    def html(self, show: Show) -> str:
        heads = [f"<th>{head}</th>" for head in ("torch", show.words["output"])]
        cells = [(versions, html.shown(said)) for versions, said in self._rows(show)]
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
        result, spread, said = show.result(self.name), show.spread(self.name), dict[str, list[str]]()
        for versions, output in [(spread.same, result.output), *spread.others]:
            text = wording(output, result.message or "") or show.words["what_if_no_output"]
            said.setdefault(text, []).extend(versions)
        oldest = sorted(said.items(), key=lambda one: min(map(order, one[1])))
        return [(spread.spans(versions), text) for text, versions in oldest]


def wording(output: str, like: str) -> str:
    """Return the message in an output that's most like another; all of it if there is none."""
    messages = MESSAGE.findall(output) or [output.strip()]
    return max(messages, key=lambda one: SequenceMatcher(None, like, one, autojunk=False).ratio())
