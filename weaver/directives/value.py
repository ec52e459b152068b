"""`{{ value topic/lesson x.grad:.2f }}`: what an expression is when the program has ended."""

from html import escape

from weaver.directives.kind import Kind
from weaver.escape import visible
from weaver.execution.protocol import Kind as Asks
from weaver.execution.protocol import Query
from weaver.render import markdown


class ValueKind(Kind):
    name = "value"
    usage = "{{ value topic/lesson x.grad }}"
    is_block = False

    def asks(self, directive):
        return [(directive.name, Query(Asks.TEXT, directive.argument))]

    def html(self, directive, show):
        return f'<code class="value">{escape(visible(directive.answer(show)))}</code>'

    def number(self, directive, show):
        return f"<mn>{escape(visible(directive.answer(show)))}</mn>"

    def markdown(self, directive, show):
        return markdown.span(directive.answer(show))
