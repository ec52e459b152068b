"""`{{ value topic/lesson x.grad:.2f }}`: what an expression is when the program has ended."""

from weaver.directives.directive import Directive, Show
from weaver.execution.protocol import Kind, Query
from weaver.render import html, markdown


class ValueDirective(Directive):
    kind = "value"
    usage = "{{ value topic/lesson x.grad }}"
    is_block = False

    @property
    def query(self) -> Query:
        return Query(Kind.TEXT, self.argument)

    def html(self, show: Show) -> str:
        return f'<code class="value">{html.shown(self.answer(show))}</code>'

    def mathml(self, show: Show) -> str:
        return f"<mn>{html.shown(self.answer(show))}</mn>"

    def markdown(self, show: Show) -> str:
        return markdown.span(self.answer(show))
