"""What a directive is: its kind's grammar, what it asks of which run, how each output shows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

from weaver.directives.show import Cells, Show
from weaver.execution.cache import key
from weaver.execution.fingerprint import fingerprint
from weaver.execution.protocol import Query
from weaver.problem import Problem, a, nearest


class Argument(Enum):
    """Whether something stands behind the snippet's name."""

    NONE = "none"
    OPTIONAL = "optional"
    REQUIRED = "required"


class Kind:
    """A kind of directive; each has a file of its own in this folder, and a line in `directives`.

    `usage` is an example for messages, `wanted` what its argument is. `is_block` says that it stands alone
    on its line, `is_named` that it is about a snippet, `has_body` that it goes on to `{{ end }}`,
    `shows_program` that what it shows is a program, `is_traced` that readers can step through those that it
    asks, `is_drawn` that it is a picture, which the search need not read, `is_prose` that it is Markdown,
    known before any program has run, `flips` that readers choose among variants of its program, and what
    stands in its body follows. A body is closed by `close_html` or `close_notebook`; `wants_choices` says
    that it lists wrong choices.
    """

    name: ClassVar[str]
    usage: ClassVar[str]
    argument: ClassVar[Argument] = Argument.REQUIRED
    wanted: ClassVar[str] = "an expression"
    is_block: ClassVar[bool] = True
    is_named: ClassVar[bool] = True
    has_body: ClassVar[bool] = False
    shows_program: ClassVar[bool] = False
    is_traced: ClassVar[bool] = False
    is_prose: ClassVar[bool] = False
    is_drawn: ClassVar[bool] = False
    flips: ClassVar[bool] = False
    wants_choices: ClassVar[bool] = False
    close_html: ClassVar[str] = ""
    close_notebook: ClassVar[str] = ""

    def check(self, directive: Directive) -> None:
        """Raise Problem with the place if the directive's argument breaks a rule of the kind."""

    def asks(self, directive: Directive) -> list[tuple[str, Query | None]]:
        """Return what it asks of which program: names, each with a query or None."""
        return [(directive.name, None)]

    def asked(self, directive: Directive, query: Query) -> str:
        """Return what a query of the directive is about, as its writer wrote it."""
        return directive.argument

    def shared(self, directive: Directive) -> str:
        """Return the part of its argument that must be the same in all languages."""
        return directive.argument

    def html(self, directive: Directive, show: Show) -> str:
        """Return what the reader of a page sees. Raises Problem with the place."""
        raise NotImplementedError

    def pieces(self, directive: Directive, show: Show) -> dict[str, str]:
        """Return the pieces of its HTML, by names, that another variant of the program replaces."""
        return {"": self.html(directive, show)}

    def number(self, directive: Directive, show: Show) -> str:
        """Return it as MathML, in a formula. Raises Problem with the place if it is no number there."""
        raise directive.problem(
            f"{a(self)} inside a formula. A formula can only contain values: write `{{{{ value ... }}}}`."
        )

    def markdown(self, directive: Directive, show: Show) -> str:
        """Return it as plain Markdown. Raises Problem with the place."""
        raise NotImplementedError

    def notebook(self, directive: Directive, show: Show, cells: Cells) -> None:
        """Add it to a notebook: if the kind does not say otherwise, as text."""
        cells.text += self.markdown(directive, show)

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Directive:
    """One directive of a page: `{{ kind name argument }}` on a line of it.

    `within` is the what-if that it stands in and whose program it asks.
    """

    kind: Kind
    name: str
    argument: str
    page: str
    line: int
    within: Directive | None = field(default=None, kw_only=True)

    @property
    def what_if(self) -> Directive | None:
        """The directive that decides which variant of its program it shows; None if it is the same always."""
        return self if self.kind.flips else self.within

    @property
    def place(self) -> str:
        """Where it stands: `docs/ko/detach.md:41`."""
        return f"{self.page}:{self.line}"

    @property
    def asks(self) -> list[tuple[str, Query | None]]:
        """What it asks of which program: names, each with a query or None."""
        return self.kind.asks(self)

    @property
    def queries(self) -> list[tuple[str, Query]]:
        """What it asks of the variables of which program."""
        return [(name, query) for name, query in self.asks if query]

    @property
    def skeleton(self) -> str:
        """What all languages must have in common of it, in words."""
        inside = " ".join(filter(None, (self.kind.name, self.name, self.kind.shared(self))))
        return f"`{{{{ {inside} }}}}`"

    def html(self, show: Show) -> str:
        """Return what the reader of a page sees. Raises Problem with the place."""
        return self.kind.html(self, show)

    def markdown(self, show: Show) -> str:
        """Return it as plain Markdown. Raises Problem with the place."""
        return self.kind.markdown(self, show)

    def notebook(self, show: Show, cells: Cells) -> None:
        """Add it to a notebook."""
        self.kind.notebook(self, show, cells)

    def answers(self, show: Show) -> list[str]:
        """Return the answers to what it asks. Raises Problem with the place."""
        return [self._answer(show, name, query) for name, query in self.queries]

    def answer(self, show: Show) -> str:
        """Return the answer to the one thing that it asks. Raises Problem with the place."""
        return self.answers(show)[0]

    def _answer(self, show, name, query):
        outcome = show.results[name]
        answer = outcome.answer(query)
        if answer.error is None:
            return answer.text
        unknown = re.match(r"NameError: name '(\w+)'", answer.error)
        near = nearest(unknown[1], outcome.names) if unknown else ""
        what = "drawn" if self.kind.is_drawn else "evaluated"
        asked = self.kind.asked(self, query)
        snippet = show.snippets.get(name)
        label = f" with `{snippet.label}`" if snippet and snippet.places else ""
        raise self.problem(
            f"`{asked}` can't be {what} after {outcome.noun} `{name}`{label}: {answer.error}.{near}"
        )

    def message(self, show: Show) -> str:
        """Return the error or first warning of its snippet. Raises Problem if there is none."""
        message = show.results[self.name].message
        if message is None:
            raise self.problem(
                f"snippet `{self.name}` raises no error and gives no warning. Name one that does."
            )
        return " ".join(message.split())

    def kept(self, show: Show, form: str, make: Callable[[], str], *more: object) -> str:
        """Return `make()`, which shows a picture in the form `html`, ..., or what it gave before.

        `more` is what it takes beside the words and the answers.
        """
        asked = [(name, query.kind, query.argument) for name, query in self.queries]
        drawing = fingerprint(type(self.kind).__module__)
        before = self.answers(show.first) if show.first else []
        made_of = drawing, form, show.words, asked, self.answers(show), before
        return show.keep(key(*made_of, *more), make)

    def problem(self, sentence: str) -> Problem:
        """Return what is wrong with it, as a sentence with its place."""
        return Problem(f"{self.place}: {sentence}")


@dataclass(frozen=True)
class Question(Directive):
    """A directive that asks the reader: `wrong` are the choices that are not the run's."""

    wrong: tuple[str, ...] = ()

    @property
    def skeleton(self) -> str:
        return f"{super().skeleton} with the choices {', '.join(self.wrong)}"


@dataclass(frozen=True)
class End(Directive):
    """The end of a directive's body; `ends` is that directive."""

    ends: Directive | None = None


@dataclass(frozen=True)
class Cell(Directive):
    """A cell of a lab: its argument is its code.

    `number` is its place among the lab's cells, from 1, `alt` says what its pictures show, `measured`
    that no two runs of it print the same.
    """

    number: int = 0
    alt: str = ""
    measured: bool = False

    @property
    def skeleton(self) -> str:
        return f"{'the measured' if self.measured else 'the'} cell {self.number}"
