"""What all programs that pages show have in common, whoever runs them: snippets and labs."""

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar, Protocol

import msgspec

from weaver.execution.protocol import Answer, Query

Progress = Callable[[int, int, str], None]


class Program(Protocol):
    """A program that pages name: `topic/lesson`, `labs/gan`."""

    name: str


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a program.

    `answers` are those to what pages ask of its variables, `names` the variables that there are.
    `failure` is a sentence without its subject, or None if the outcome can be published.
    """

    noun: ClassVar[str]  # what a sentence calls such a program
    answers: tuple[Answer, ...] = ()
    names: tuple[str, ...] = ()
    failure: str | None = None

    def answer(self, query: Query) -> Answer:
        """Return the answer to a query that was asked. Raises KeyError if it was not."""
        for answer in self.answers:
            if answer.query == query:
                return answer
        raise KeyError(query)


class Runs(Protocol):
    """Runs programs of one kind beside the work of its caller.

    `ran` counts those that ran, `reused` those whose outcome was there already.
    """

    ran: int
    reused: int

    def request(self, asked: Iterable[tuple[Program, Iterable[Query]]]) -> None:
        """Start what is asked for and return at once; what has not changed is not run again."""

    def results(self, progress: Progress | None = None) -> Mapping[str, Outcome]:
        """Wait for all that was requested; return the outcomes by the programs' names."""

    def close(self) -> None:
        """End whatever runs; what has not run by then is forgotten."""
