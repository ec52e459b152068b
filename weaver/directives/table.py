"""`{{ table topic/lesson rows | t.is_leaf | t.grad as gradient }}`: a row per entry, a column each."""

import json
import re
from collections.abc import Callable
from html import escape

from weaver.directives.directive import Directive, Show
from weaver.execution.protocol import Kind, Query
from weaver.problem import Problem
from weaver.render import html, markdown


class TableDirective(Directive):
    kind = "table"
    usage = "{{ table topic/lesson rows | t.is_leaf | t.requires_grad }}"

    def check(self) -> None:
        named = self._named()
        if len(named) < 2 or not all(code for code, _ in named):
            raise self.problem(
                f"a table needs an expression after `|` for each column. Write `{self.usage}`."
            )

    @property
    def query(self) -> Query:
        (rows, _), *columns = self._named()
        # a space before a brace: two together would be a literal one
        cells = "".join(f', f"""{{{" " * code.startswith("{")}{code}}}"""' for code, _ in columns)
        return Query(Kind.DATA, f"[[str(_row){cells}] for _row, t in ({rows}).items()]")

    @property
    def shared(self) -> str:
        return " | ".join(f"{code} as ..." if name else code for code, name in self._named())

    def html(self, show: Show) -> str:
        corner, *heads = self._heads(escape, html.shown_as_code)
        rows = [
            [f'<th scope="row">{label}</th>', *(f"<td>{cell}</td>" for cell in cells)]
            for label, *cells in (map(html.shown, row) for row in self._rows(show))
        ]
        first = f"<th>{corner}</th>" if corner else "<td></td>"
        return html.table([first, *(f"<th>{head}</th>" for head in heads)], rows, "run-table coded")

    def markdown(self, show: Show) -> str:
        rows = [[cell and markdown.span(cell) for cell in row] for row in self._rows(show)]
        return markdown.table(self._heads(str, markdown.span), rows)

    def _rows(self, show: Show) -> list[list[str]]:
        """Return the rows: labels, each with its cells."""
        named = self._named()[0][0]
        try:
            rows = json.loads(self.answer(show))
        except Problem as problem:
            if "no attribute 'items'" not in str(problem):
                raise
            raise self.problem(f"`{named}` isn't a dictionary. Name one: its keys are the rows.") from None
        if not rows:
            raise self.problem(f"`{named}` is empty. Give it an entry for each row.")
        return rows

    def _named(self) -> list[tuple[str, str]]:
        """Return the expression of the rows and of each column, each with its name or an empty text."""
        parts = (part.strip().partition(" as ") for part in self.argument.split("|"))
        return [(code, name) for code, _, name in parts]  # `as` is a keyword: no expression has it

    def _heads(self, text: Callable[[str], str], code: Callable[[str], str]) -> list[str]:
        """Return what's above the rows' labels and above each column: its name, or its expression as code.

        A conversion such as `!r` only formats the expression, and isn't shown.
        """
        (_, corner), *columns = self._named()
        heads = [text(name) if name else code(re.sub(r"![rsa]$", "", one)) for one, name in columns]
        return [text(corner), *heads]
