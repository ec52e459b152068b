"""What the kinds of directives need to show one: the programs, what came of them, the words."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from weaver.directives.kind import Directive
from weaver.execution.cache import key
from weaver.execution.contract import Outcome
from weaver.execution.fingerprint import fingerprint
from weaver.execution.snippets.source import Snippet
from weaver.problem import nearest


class Cells(Protocol):
    """A notebook that is being written: the text of the cell that is open, and code to add."""

    text: str

    def add_code(self, source: str, outputs: Sequence[Mapping[str, Any]] | None, tags: Sequence[str] = ()):
        """Add a code cell; with `outputs` None it has not run."""


@dataclass(frozen=True)
class Show:
    """What is shown on the pages of one language.

    `snippets` and `results` are by name; `words` are the language's; `torch` is the version that is
    shown with outputs; `keep(key, make)` returns what `make()` returns, or returned before for that key;
    `terms` is the glossary as Markdown; `programs` is where the page finds the programs' files.
    """

    snippets: Mapping[str, Snippet]
    results: Mapping[str, Outcome]
    words: Mapping[str, Any]
    torch: str
    keep: Callable[[str, Callable[[], str]], str] = lambda key, make: make()
    terms: str = ""
    programs: str = "snippets"

    def at(self, programs: str) -> "Show":
        """Return the same for a page that finds the programs at `programs`."""
        return replace(self, programs=programs)

    def answers(self, directive: Directive) -> list[str]:
        """Return the answers to what a directive asks. Raises Problem with the place."""
        return [self._answer(directive, name, query) for name, query in directive.queries]

    def answer(self, directive: Directive) -> str:
        """Return the answer to the one thing that a directive asks. Raises Problem with the place."""
        return self.answers(directive)[0]

    def _answer(self, directive, name, query):
        outcome = self.results[name]
        answer = outcome.answer(query)
        if answer.error is None:
            return answer.text
        unknown = re.match(r"NameError: name '(\w+)'", answer.error)
        near = nearest(unknown[1], outcome.names) if unknown else ""
        what = "drawn" if directive.kind.is_drawn else "evaluated"
        asked = directive.kind.asked(directive, query)
        raise directive.problem(
            f"`{asked}` cannot be {what} after {outcome.noun} `{name}`: {answer.error}.{near}"
        )

    def message(self, directive: Directive) -> str:
        """Return the error or first warning of a directive's snippet. Raises Problem if there is none."""
        message = self.results[directive.name].message
        if message is None:
            raise directive.problem(
                f"snippet `{directive.name}` raises no error and gives no warning. Take one that does."
            )
        return " ".join(message.split())

    def kept(self, directive: Directive, form: str, make: Callable[[], str]) -> str:
        """Return `make()`, which shows a picture in the form `html`, ..., or what it gave before."""
        asked = [(name, query.kind, query.argument) for name, query in directive.queries]
        drawing = fingerprint(type(directive.kind).__module__)
        return self.keep(key(drawing, form, self.words, asked, self.answers(directive)), make)

    @property
    def output_head(self) -> str:
        """The line above an output: what it is, and which torch printed it."""
        return f"{self.words['output']} (torch {self.torch})"
