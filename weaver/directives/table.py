"""`{{ table topic/lesson rows | t.is_leaf | t.grad as gradient }}`: a row per entry, a column each."""

import json
import re
from html import escape

from weaver.directives.kind import Kind
from weaver.execution.protocol import Kind as Asks
from weaver.execution.protocol import Query
from weaver.problem import Problem
from weaver.render import markdown
from weaver.render.html import shown_as_code

NAMED = re.compile(r"(.*?)(?: as (.*))?")  # `as` is a keyword: no expression has it


class TableKind(Kind):
    name = "table"
    usage = "{{ table topic/lesson rows | t.is_leaf | t.requires_grad }}"

    def check(self, directive):
        if not all(_parts(directive)) or len(_parts(directive)) < 2:
            raise directive.problem(
                f"a table needs an expression after `|` for each column. Write `{self.usage}`."
            )

    def asks(self, directive):
        (rows, _), *columns = _named(directive)
        cells = "".join(f', f"""{{{_apart(column)}{column}}}"""' for column, _ in columns)
        return [(directive.name, Query(Asks.DATA, f"[[str(_row){cells}] for _row, t in ({rows}).items()]"))]

    def shared(self, directive):
        return " | ".join(f"{code} as ..." if name else code for code, name in _named(directive))

    def html(self, directive, show):
        corner, *heads = _heads(directive, escape, shown_as_code)
        head = "".join(f"<th>{head}</th>" for head in heads)
        body = ""
        for label, *cells in _rows(directive, show):
            body += f'<tr><th scope="row">{shown_as_code(label)}</th>'
            body += "".join(f"<td>{shown_as_code(cell)}</td>" for cell in cells) + "</tr>"
        table = f"<table><thead><tr><td>{corner}</td>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f'<div class="run-table" tabindex="0">{table}</div>'

    def markdown(self, directive, show):
        rows = _rows(directive, show)
        head = _heads(directive, str, markdown.span)
        return markdown.table(head, [[cell and markdown.span(cell) for cell in row] for row in rows])


def _rows(directive, show):
    """Return the rows: labels, each with its cells."""
    named = _named(directive)[0][0]
    try:
        rows = json.loads(directive.answer(show))
    except Problem as problem:
        if "no attribute 'items'" not in str(problem):
            raise
        raise directive.problem(f"`{named}` isn't a dictionary. Name one: its keys are the rows.") from None
    if not rows:
        raise directive.problem(f"`{named}` is empty. Give it an entry for each row.")
    return rows


def _parts(directive):
    return [part.strip() for part in directive.argument.split("|")]


def _apart(column):
    return " " if column.startswith("{") else ""  # two braces together would be a literal one


def _named(directive):
    """Return the expression of the rows and of each column, each with its name or None."""
    return [NAMED.fullmatch(part).groups() for part in _parts(directive)]


def _heads(directive, text, code):
    """Return what stands above the rows' labels and above each column: its name, or its expression as code.

    A conversion such as `!r` only formats the expression, and isn't shown.
    """
    (_, corner), *columns = _named(directive)
    heads = [text(name) if name else code(re.sub(r"![rsa]$", "", column)) for column, name in columns]
    return [text(corner or ""), *heads]
