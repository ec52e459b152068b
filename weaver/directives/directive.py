"""What a directive is: its arguments, what it asks of a program, and how each output shows it.

A kind of directive is a subclass of `Directive`, in a file of its own in this folder, and listed in
`directives`; `bars` is a short example.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from weaver.execution.contract import Outcome
from weaver.execution.protocol import Kind, Query
from weaver.execution.snippets.result import Result
from weaver.execution.snippets.source import Snippet
from weaver.problem import Problem, a, nearest
from weaver.render.versions import Spread
from weaver.versions.changes import Change
from weaver.versions.record import Elsewhere


class Argument(StrEnum):
    """Whether something follows the snippet's name."""

    NONE = "none"
    OPTIONAL = "optional"
    REQUIRED = "required"


class Need(StrEnum):
    """What of the whole site a directive shows: a field of `Show`."""

    TERMS = "terms"
    STAGES = "stages"
    BUILT = "built"
    QUESTIONS = "questions"
    FIGURES = "figures"
    CHANGES = "changes"
    WHY = "why"


class Cells(Protocol):
    """A notebook that is being written: the text of the cell that is open, and code to add."""

    text: str

    def add_code(
        self, source: str, outputs: Sequence[Mapping[str, Any]] | None, tags: Sequence[str] = ()
    ) -> None:
        """Add a code cell; with `outputs` None it hasn't run."""


@dataclass(frozen=True)
class Asked:
    """A question of the site: the title and path of its page, the way there, and the section of `nav`."""

    question: Directive
    title: str
    page: str
    address: str
    section: str = ""


@dataclass(frozen=True)
class Show:
    """What is shown on the pages of one language.

    `snippets` and `results` are by name; `words` are the language's; `torch` is the version that is shown
    with outputs, empty if no program uses it; `keep(key, make)` returns what `make()` returns, or returned
    before for that key. `terms` is the glossary as Markdown, `stages` the pages of each section of the
    navigation, `built` what the build knows of itself, as Markdown, `questions` all questions. `programs` is
    where the page finds the programs' files. `first` is what is shown of a program's first variant, while
    another is. `versions` is what other versions of torch printed, by the names of programs and variants,
    `changes` what changed from one version to the next. `figures` are the programs that the page shows,
    `addresses` where each program of the site is shown. `why` are the language's words for findings,
    `pages` the addresses of the pages, by their names, that findings can link to.
    """

    snippets: Mapping[str, Snippet]
    results: Mapping[str, Outcome]
    words: Mapping[str, Any]
    torch: str
    keep: Callable[[str, Callable[[], str]], str] = lambda key, make: make()
    terms: str = ""
    stages: Mapping[str, str] = field(default_factory=dict)
    built: Mapping[str, str] = field(default_factory=dict)
    questions: tuple[Asked, ...] = ()
    programs: str = "snippets"
    first: Show | None = None
    versions: Mapping[str, Elsewhere] = field(default_factory=dict)
    figures: tuple[str, ...] = ()
    changes: tuple[tuple[str, str, tuple[Change, ...]], ...] = ()
    addresses: Mapping[str, str] = field(default_factory=dict)
    why: Mapping[str, str] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)

    def at(self, programs: str) -> Show:
        """Return the same for a page that finds the programs at `programs`."""
        return replace(self, programs=programs)

    def narrowed(self, needs: Collection[Need], names: Collection[str]) -> Show:
        """Return only what the directives of a page need: nothing else can change what the page shows.

        `names` are the programs and labs that they ask.
        """
        return replace(
            self,
            snippets={name: self.snippets[name] for name in sorted(names) if name in self.snippets},
            results={name: self.results[name] for name in sorted(names)},
            versions={name: self.versions[name] for name in sorted(names) if name in self.versions},
            **{need: type(getattr(self, need))() for need in Need if need not in needs},
        )

    def result(self, name: str) -> Result:
        """Return what came of a snippet."""
        found = self.results[name]
        assert isinstance(found, Result), f"{name} is a lab"
        return found

    def variants(self, name: str) -> list[Show]:
        """Return what is shown with each variant in a program's place; this itself for the file's own."""
        return [
            self
            if one.name == name
            else replace(
                self,
                snippets={**self.snippets, name: one},
                results={**self.results, name: self.results[one.name]},
                first=self,
            )
            for one in self.snippets[name].variants
        ]

    def spread(self, name: str) -> Spread:
        """Return what other versions of torch print of a program, as it's shown."""
        found = self.versions.get(self.snippets[name].name, Elsewhere()) if self.torch else Elsewhere()
        return Spread(found, self.torch, self.words)

    def output_head(self, *remarks: str) -> str:
        """Return the line above an output: what it is, which torch printed it, and remarks."""
        about = ", ".join([f"torch {self.torch}"] * bool(self.torch) + list(remarks))
        return f"{self.words['output']} ({about})" if about else self.words["output"]


@dataclass(frozen=True)
class Directive:
    """One directive of a page: `{{ kind name argument }}` on a line of it; `name` is a program's.

    `within` is the what-if that it's in and whose program it asks.
    """

    name: str
    argument: str
    page: str
    line: int
    within: Directive | None = field(default=None, kw_only=True)

    kind: ClassVar[str]  # the word it begins with
    usage: ClassVar[str]  # an example, for messages
    takes: ClassVar[Argument] = Argument.REQUIRED
    wanted: ClassVar[str] = "an expression"  # what its argument is, for messages
    needs: ClassVar[frozenset[Need]] = frozenset()
    counts_as: ClassVar[str | None] = None  # the fact of `{{ built ... }}` that counts its programs
    is_named: ClassVar[bool] = True  # whether it's about a program
    is_block: ClassVar[bool] = True  # whether it's alone on its line
    is_prose: ClassVar[bool] = False  # whether it's Markdown, known before any program has run
    is_drawn: ClassVar[bool] = False  # whether it's a picture, which the search needn't read
    is_traced: ClassVar[bool] = False  # whether readers can step through the programs that it asks
    shows_program: ClassVar[bool] = False
    flips: ClassVar[bool] = False  # whether readers choose a variant of its program, and its body follows

    def check(self) -> None:
        """Raise Problem with the place if the argument breaks a rule of the kind."""

    @property
    def query(self) -> Query | None:
        """The query for its program; None if the program only has to run."""
        return None

    @property
    def asks(self) -> list[tuple[str, Query | None]]:
        """The programs that have to run for it, by name, each with its query or None."""
        return [(self.name, self.query)] if self.is_named else []

    @property
    def shared(self) -> str:
        """The part of its argument that must be the same in all languages."""
        return self.argument

    def html(self, show: Show) -> str:
        """Return what the reader of a page sees. Raises Problem with the place."""
        raise NotImplementedError

    def pieces(self, show: Show) -> dict[str, str]:
        """Return the pieces of its HTML, by names, that another variant of the program replaces."""
        return {"": self.html(show)}

    def mathml(self, show: Show) -> str:
        """Return it as MathML, in a formula. Raises Problem, with its place, if it isn't a number."""
        raise self.problem(
            f"{a(self.kind)} inside a formula. A formula can only contain values: write "
            "`{{ value ... }}`."
        )

    def markdown(self, show: Show) -> str:
        """Return it as plain Markdown. Raises Problem with the place."""
        raise NotImplementedError

    def notebook(self, show: Show, cells: Cells) -> None:
        """Add it to a notebook: if the kind doesn't say otherwise, as text."""
        cells.text += self.markdown(show)

    @property
    def what_if(self) -> Directive | None:
        """The directive that decides which variant of its program it shows; None if it's always the same."""
        return self if self.flips else self.within

    @property
    def place(self) -> str:
        """Where it is: `docs/ko/detach.md:41`."""
        return f"{self.page}:{self.line}"

    @property
    def queries(self) -> list[tuple[str, Query]]:
        """The programs whose variables it shows, each with its query."""
        return [(name, query) for name, query in self.asks if query]

    @property
    def skeleton(self) -> str:
        """What all languages must have in common of it, in words."""
        return f"`{{{{ {' '.join(filter(None, (self.kind, self.name, self.shared)))} }}}}`"

    def answers(self, show: Show) -> list[str]:
        """Return the answers to what it asks. Raises Problem with the place."""
        return [self._answer(show, name, query) for name, query in self.queries]

    def answer(self, show: Show) -> str:
        """Return the answer to the one thing that it asks. Raises Problem with the place."""
        return self.answers(show)[0]

    def _answer(self, show: Show, name: str, query: Query) -> str:
        outcome = show.results[name]
        answer = outcome.answer(query)
        if answer.text is not None:
            return answer.text
        unknown = re.match(r"NameError: name '(\w+)'", answer.error or "")
        near = nearest(unknown[1], outcome.names) if unknown else ""
        what = "drawn" if self.is_drawn else "evaluated"
        asked = self.argument if query.kind is Kind.DATA else query.argument
        snippet = show.snippets.get(name)
        label = f" with `{snippet.label}`" if snippet and snippet.places else ""
        raise self.problem(
            f"`{asked}` can't be {what} after {outcome.noun} `{name}`{label}: {answer.error}.{near}"
        )

    def problem(self, sentence: str) -> Problem:
        """Return what is wrong with it, as a sentence with its place."""
        return Problem(f"{self.place}: {sentence}")
