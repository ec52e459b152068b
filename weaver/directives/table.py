"""`{{ table topic/lesson rows | t.is_leaf | t.grad }}`: a row per entry, a column per expression."""

import json
import re

from weaver.directives.kind import Kind
from weaver.execution.protocol import Kind as Asks
from weaver.execution.protocol import Query
from weaver.render import markdown
from weaver.render.html import shown_as_code


class TableKind(Kind):
    name = "table"
    usage = "{{ table topic/lesson rows | t.is_leaf | t.requires_grad }}"

    def check(self, directive):
        if not all(_parts(directive)) or len(_parts(directive)) < 2:
            raise directive.problem(f"a table has a column per expression behind `|`. Write `{self.usage}`.")

    def asks(self, directive):
        rows, *columns = _parts(directive)
        cells = "".join(f', f"""{{{_apart(column)}{column}}}"""' for column in columns)
        return [(directive.name, Query(Asks.DATA, f"[[str(_row){cells}] for _row, t in ({rows}).items()]"))]

    def html(self, directive, show):
        head = "".join(f"<th>{shown_as_code(label)}</th>" for label in _labels(directive))
        body = ""
        for label, *cells in _rows(directive, show):
            body += f'<tr><th scope="row">{shown_as_code(label)}</th>'
            body += "".join(f"<td>{shown_as_code(cell)}</td>" for cell in cells) + "</tr>"
        table = f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f'<div class="run-table" tabindex="0">{table}</div>'

    def markdown(self, directive, show):
        rows = _rows(directive, show)
        head = ["", *map(markdown.span, _labels(directive))]
        return markdown.table(head, [[cell and markdown.span(cell) for cell in row] for row in rows])


def _rows(directive, show):
    """Return the rows: labels, each with its cells."""
    rows = json.loads(directive.answer(show))
    if not rows:
        raise directive.problem(f"`{_parts(directive)[0]}` is empty. Give it an entry for each row.")
    return rows


def _parts(directive):
    return [part.strip() for part in directive.argument.split("|")]


def _apart(column):
    return " " if column.startswith("{") else ""  # two braces together would be a literal one


def _labels(directive):
    """Return the columns' headings: the expressions, without the conversion that only formats them."""
    return [re.sub(r"![rsa]$", "", column) for column in _parts(directive)[1:]]
