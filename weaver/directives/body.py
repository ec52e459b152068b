"""What goes on to `{{ end }}`: a program whose readers predict what a run gives, and Markdown below it."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar

from weaver.directives.directive import Argument, Cells, Directive, Show
from weaver.directives.snippet import SnippetDirective
from weaver.execution.changes import FORMAT
from weaver.execution.protocol import Kind, Query
from weaver.render import html


@dataclass(frozen=True)
class BodyDirective(SnippetDirective):
    """A directive with a body; `wrong` are the choices that aren't the run's, listed right below it."""

    wrong: tuple[str, ...] = ()

    takes = Argument.OPTIONAL
    wants_choices: ClassVar[bool] = True
    inside: ClassVar[str]  # what its body is called, for messages
    close_html: ClassVar[str]
    close_notebook: ClassVar[str] = ""

    @property
    def query(self) -> Query | None:
        return Query(Kind.TEXT, self.argument) if self.argument else None

    @property
    def skeleton(self) -> str:
        return f"{super().skeleton} with the choices {', '.join(self.wrong)}"

    def asked(self, words: Mapping[str, Any], code: Callable[[str], str]) -> str:
        """Return what the reader is asked: for the output or, if there is one, for the expression's value.

        `code` shows the expression as code. How a value is formatted isn't part of the question.
        """
        if not self.argument:
            return words["what_prints"]
        return words["what_is"].format(value=code(FORMAT.sub("", self.argument)))

    def given(self, show: Show) -> str:
        """Return what the run gives. Raises Problem if that is nothing."""
        text = self.answer(show) if self.argument else show.result(self.name).output
        if not text.strip():
            raise self.problem("the snippet prints nothing, so there is no right answer. Ask about a value.")
        return text.strip()

    def choices_html(self, texts: Iterable[str], right: str, words: Mapping[str, Any]) -> str:
        """Return what's in the fieldset: the texts to choose from, and the verdict."""
        group = escape(f"question-{self.name}-{self.line}")
        listed = "".join(
            f'<label><input type="radio" name="{group}" data-right="{str(text == right).lower()}"> '
            f"{html.shown(text)}</label>"
            for text in self.shuffled(texts)
        )
        return (
            f"<legend>{self.asked(words, html.shown_as_code)}</legend>{listed}"
            f'<p class="verdict" role="status" data-right="{escape(words["right"])}" '
            f'data-wrong="{escape(words["wrong"])}"></p>'
        )

    def shuffled(self, texts: Iterable[str]) -> list[str]:
        """Return choices in an order that tells nothing."""
        return sorted(texts, key=lambda text: hashlib.sha256(f"{self.name} {text}".encode()).digest())


@dataclass(frozen=True)
class EndDirective(Directive):
    """The end of a directive's body; `ends` is that directive, once its whole page is read."""

    ends: BodyDirective | None = None

    kind = "end"
    usage = "{{ end }}"
    takes = Argument.NONE
    is_named = False

    def html(self, show: Show) -> str:
        return self.ends.close_html if self.ends else ""

    def markdown(self, show: Show) -> str:
        return ""

    def notebook(self, show: Show, cells: Cells) -> None:
        cells.text += self.ends.close_notebook if self.ends else ""
