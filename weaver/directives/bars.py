"""`{{ bars topic/lesson sizes }}`: a bar for each entry of a dictionary from labels to whole numbers."""

import json

from weaver.directives.directive import Directive, Show
from weaver.execution.protocol import Kind, Query
from weaver.render import html, markdown


class BarsDirective(Directive):
    kind = "bars"
    usage = "{{ bars topic/lesson sizes }}"

    @property
    def query(self) -> Query:
        return Query(Kind.DATA, f"[[str(_label), _size] for _label, _size in ({self.argument}).items()]")

    def html(self, show: Show) -> str:
        rows = self._rows(show)
        largest = max(size for _, size in rows) or 1
        cells = [
            (
                f'<th scope="row">{html.shown(label)}</th><td>{size:,}</td>',
                '<td><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
                f'<rect width="{100 * size / largest:.1f}" height="10"/></svg></td>',
            )
            for label, size in rows
        ]
        return html.table((), cells, "run-table coded bars")

    def markdown(self, show: Show) -> str:
        rows = [[markdown.span(label), markdown.span(f"{size:,}")] for label, size in self._rows(show)]
        return "| | |\n| --- | ---: |\n" + "".join(map(markdown.row, rows))

    def _rows(self, show: Show) -> list[tuple[str, int]]:
        """Return labels with their sizes."""
        rows = json.loads(self.answer(show))
        for label, size in rows:
            if not isinstance(size, int) or isinstance(size, bool) or size < 0:
                raise self.problem(f"`{label}` is {size}. Give each bar a whole number, 0 or more.")
        if not rows:
            raise self.problem(f"`{self.argument}` is empty. Give it an entry for each bar.")
        return rows
