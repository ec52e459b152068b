"""`{{ error topic/lesson }}`: the message of the error that the program announces, or its first warning."""

from html import escape

from weaver.directives.kind import Argument, Kind
from weaver.escape import visible
from weaver.render import markdown


class ErrorKind(Kind):
    name = "error"
    usage = "{{ error topic/lesson }}"
    argument = Argument.NONE
    is_block = False

    def html(self, directive, show):
        return f'<code class="error">{escape(visible(directive.message(show)))}</code>'

    def markdown(self, directive, show):
        return markdown.span(directive.message(show))
