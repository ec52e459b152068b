"""A page as it was read: its text and directives in order, its headings, its fences."""

from collections.abc import Callable
from dataclasses import dataclass

from weaver.directives.kind import Cell, Directive, End


@dataclass(frozen=True)
class Heading:
    """A heading: its level, its text, its explicit id (None if it has none), its line."""

    level: int
    text: str
    id: str | None
    line: int


@dataclass(frozen=True)
class Page:
    """A parsed page: its text in `parts`, strings and directives in order, and what stands in it.

    `front` is its front matter with the lines that mark it, `body` the text below that, as it was read.
    """

    path: str
    front: str
    body: str
    parts: tuple[str | Directive, ...]
    headings: tuple[Heading, ...]
    fences: tuple[str, ...]

    @property
    def directives(self) -> list[Directive]:
        """The directives, without the ends of bodies."""
        return [part for part in self.parts if isinstance(part, Directive) and not isinstance(part, End)]

    @property
    def cells(self) -> list[Cell]:
        """The cells, if the page is a lab."""
        return [directive for directive in self.directives if isinstance(directive, Cell)]

    @property
    def has_code(self) -> bool:
        """Whether the page shows programs or cells."""
        return any(directive.kind.shows_program for directive in self.directives)

    def weave(self, render: Callable[[Directive], str]) -> str:
        """Return the page's text with each directive replaced by what `render` makes of it."""
        return "".join(part if isinstance(part, str) else render(part) for part in self.parts)
