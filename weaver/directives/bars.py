"""`{{ bars topic/lesson sizes }}`: a bar for each entry of a dictionary from labels to whole numbers."""

import json

from weaver.directives.kind import Kind
from weaver.execution.protocol import Kind as Asks
from weaver.execution.protocol import Query
from weaver.render import markdown
from weaver.render.html import shown_as_code


class BarsKind(Kind):
    name = "bars"
    usage = "{{ bars topic/lesson sizes }}"

    def asks(self, directive):
        rows = f"[[str(_label), _size] for _label, _size in ({directive.argument}).items()]"
        return [(directive.name, Query(Asks.DATA, rows))]

    def html(self, directive, show):
        rows = _rows(directive, show)
        largest = max(size for _, size in rows) or 1
        body = "".join(
            f'<tr><th scope="row">{shown_as_code(label)}</th><td><code>{size:,}</code></td>'
            f'<td><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
            f'<rect width="{100 * size / largest:.1f}" height="10"/></svg></td></tr>'
            for label, size in rows
        )
        return f'<div class="run-table bars" tabindex="0"><table><tbody>{body}</tbody></table></div>'

    def markdown(self, directive, show):
        rows = _rows(directive, show)
        return "| | |\n| --- | ---: |\n" + "".join(
            markdown.row([markdown.span(label), markdown.span(f"{size:,}")]) for label, size in rows
        )


def _rows(directive, show):
    """Return labels with their sizes."""
    rows = json.loads(directive.answer(show))
    for label, size in rows:
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise directive.problem(f"`{label}` is {size}. Give each bar a whole number, 0 or more.")
    if not rows:
        raise directive.problem(f"`{directive.argument}` is empty. Give it an entry for each bar.")
    return rows
