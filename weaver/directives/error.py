"""`{{ error topic/lesson | its words }}`: the message that a program ends in, or its first warning."""

import re
from html import escape

from weaver.directives.kind import Argument, Kind
from weaver.escape import visible
from weaver.execution.protocol import Kind as Asks
from weaver.execution.protocol import Query
from weaver.render import markdown


class ErrorKind(Kind):
    """A message, or the expression before the first `|`; the words after each `|` are bold.

    With `…` before the first words, only they are shown.
    """

    name = "error"
    usage = "{{ error topic/lesson | its words }}"
    argument = Argument.OPTIONAL
    is_block = False

    def check(self, directive):
        if "" in _split(directive)[1:]:
            raise directive.problem(f"no words after `|`. Write `{self.usage}`.")

    def asks(self, directive):
        expression = _split(directive)[0]
        return [(directive.name, Query(Asks.TEXT, expression) if expression else None)]

    def asked(self, directive, query):
        return query.argument

    def html(self, directive, show):
        parts = [(escape(visible(text)), is_bold) for text, is_bold in _parts(directive, show)]
        inside = "".join(f"<strong>{text}</strong>" if is_bold else text for text, is_bold in parts)
        return f'<code class="error">{inside}</code>'

    def markdown(self, directive, show):
        parts = [(text.strip(), is_bold) for text, is_bold in _parts(directive, show)]
        spans = [(text if text == "…" else markdown.span(text), is_bold) for text, is_bold in parts if text]
        return " ".join(f"**{span}**" if is_bold else span for span, is_bold in spans)


def _split(directive):
    """Return the expression whose value is the message, or "", and the words to be shown in bold."""
    expression, *words = (part.strip() for part in directive.argument.split("|"))
    return expression, *(word.removeprefix("…") for word in words)


def _parts(directive, show):
    """Return the message in parts, each with whether it is bold."""
    expression, *words = _split(directive)
    message = " ".join(directive.answer(show).split()) if expression else directive.message(show)
    parts, at = [], 0
    for word in words:
        start = message.find(word, at)
        if start < 0:
            raise directive.problem(
                f"`{word}` isn't in the message, or not in that order. Copy it from: {message}"
            )
        parts += [(message[at:start], False), (word, True)]
        at = start + len(word)
    parts = [(text, is_bold) for text, is_bold in [*parts, (message[at:], False)] if text]
    if not re.match(r"[^|]*\|\s*…", directive.argument):
        return parts
    last = len(parts) - 1
    gaps = [" " * (at > 0) + "…" + " " * (at < last) for at in range(len(parts))]
    return [(text, True) if is_bold else (gaps[at], False) for at, (text, is_bold) in enumerate(parts)]
