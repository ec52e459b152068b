"""A page as it was read: its text and directives in order, its headings, its fences."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from weaver.directives.kind import Cell, Directive, End
from weaver.pages.front_matter import Front
from weaver.problem import Problem


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

    `front` is its front matter, `body` the text below that, as it was read.
    """

    path: str
    front: Front
    body: str
    parts: tuple[str | Directive, ...]
    headings: tuple[Heading, ...]
    fences: tuple[str, ...]

    @cached_property
    def directives(self) -> list[Directive]:
        """The directives, without the ends of bodies."""
        return [part for part in self.parts if isinstance(part, Directive) and not isinstance(part, End)]

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells, if the page is a lab."""
        return [directive for directive in self.directives if isinstance(directive, Cell)]

    @property
    def has_code(self) -> bool:
        """Whether the page shows programs or cells."""
        return any(directive.kind.shows_program for directive in self.directives)

    @property
    def title(self) -> str | None:
        """The text of the first heading, None if there is none."""
        return self.headings[0].text if self.headings else None

    def place(self, text: str) -> str:
        """Return where a text first stands on the page; the page alone, if it came from elsewhere."""
        at = self.body.find(text)
        line = self.front.text.count("\n") + self.body.count("\n", 0, max(at, 0)) + 1
        return f"{self.path}:{line}" if at >= 0 else self.path

    def literal(self, text: str) -> Problem:
        """Return that a text of the page would be published as it stands."""
        place = self.place(text)
        origin = "" if place != self.path else " It comes from an included file or from a plugin."
        return Problem(
            f"{place}: `{text}` would appear literally on the page.{origin} Directives only work in the text "
            "of pages: move it there or, if it's an example, put it between backticks."
        )

    def weave(self, render: Callable[[Directive], str]) -> str:
        """Return the page's text with each directive replaced by what `render` makes of it.

        It stays where the directive stood: in a list or an admonition all its lines are indented, in a
        row of a table it closes no cell.
        """
        text = ""
        for part in self.parts:
            if not isinstance(part, str):
                line = text[text.rfind("\n") + 1 :]
                part = render(part)
                if line and line.isspace():
                    part = re.sub(r"\n(?=[^\n])", f"\n{line}", part.rstrip("\n"))
                elif line.lstrip().startswith("|"):
                    part = part.replace("|", "\\|")
            text += part
        return text
