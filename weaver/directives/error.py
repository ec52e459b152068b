"""`{{ error topic/lesson | its words }}`: the message that a program ends in, or its first warning."""

import re

from weaver.directives.directive import Argument, Directive, Show
from weaver.execution.protocol import Kind, Query
from weaver.render import html, markdown


class ErrorDirective(Directive):
    """A message, or the value of the expression before the first `|`; the words after each `|` are bold.

    With `…` before the first words, only they are shown.
    """

    kind = "error"
    usage = "{{ error topic/lesson | its words }}"
    takes = Argument.OPTIONAL
    counts_as = "errors"
    is_block = False

    def check(self) -> None:
        if "" in self._split()[1]:
            raise self.problem(f"no words after `|`. Write `{self.usage}`.")

    @property
    def query(self) -> Query | None:
        expression, _ = self._split()
        return Query(Kind.TEXT, expression) if expression else None

    def html(self, show: Show) -> str:
        parts = [(html.shown(text), is_bold) for text, is_bold in self._parts(show)]
        inside = "".join(f"<strong>{text}</strong>" if is_bold else text for text, is_bold in parts)
        return f'<code class="error">{inside}</code>'

    def markdown(self, show: Show) -> str:
        parts = [(text.strip(), is_bold) for text, is_bold in self._parts(show)]
        spans = [(text if text == "…" else markdown.span(text), is_bold) for text, is_bold in parts if text]
        return " ".join(f"**{span}**" if is_bold else span for span, is_bold in spans)

    def _split(self) -> tuple[str, list[str]]:
        """Return the expression whose value is the message, or "", and the words to be shown in bold."""
        expression, *words = (part.strip() for part in self.argument.split("|"))
        return expression, [word.removeprefix("…") for word in words]

    def _message(self, show: Show) -> str:
        message = self.answer(show) if self.query else show.result(self.name).message
        if message is None:
            raise self.problem(
                f"snippet `{self.name}` raises no error and gives no warning. Name one that does."
            )
        return " ".join(message.split())

    def _parts(self, show: Show) -> list[tuple[str, bool]]:
        """Return the message in parts, each with whether it is bold."""
        message, parts, at = self._message(show), [], 0
        for word in self._split()[1]:
            start = message.find(word, at)
            if start < 0:
                raise self.problem(
                    f"`{word}` isn't in the message, or not in that order. Copy it from: {message}"
                )
            parts += [(message[at:start], False), (word, True)]
            at = start + len(word)
        parts = [(text, is_bold) for text, is_bold in [*parts, (message[at:], False)] if text]
        if not re.match(r"[^|]*\|\s*…", self.argument):
            return parts
        last = len(parts) - 1
        gaps = [" " * (at > 0) + "…" + " " * (at < last) for at in range(len(parts))]
        return [(text if is_bold else gap, is_bold) for (text, is_bold), gap in zip(parts, gaps, strict=True)]
