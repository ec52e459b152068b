"""What all programs that pages show have in common, snippets and labs: an outcome."""

from collections.abc import Callable
from typing import ClassVar

import msgspec

from weaver.execution.protocol import Answer, Query

OnProgress = Callable[[int, int, str], None]
RUNNING = "is still running"  # the failure of an outcome that isn't there yet


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
