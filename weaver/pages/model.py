"""A page as it was read: its text and directives in order, its headings, its fences."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from weaver.directives.body import EndDirective
from weaver.directives.cell import CellDirective
from weaver.directives.directive import Directive, Need
from weaver.pages.front_matter import Front
from weaver.problem import Problem, nearest

ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class Heading:
    """A heading: its level, its text, its explicit id (None if it has none), its line."""

    level: int
    text: str
    id: str | None
    line: int


@dataclass(frozen=True)
class Page:
    """A parsed page: its text in `parts`, strings and directives in order, and what's on it.

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
        directives = [part for part in self.parts if isinstance(part, Directive)]
        return [one for one in directives if not isinstance(one, EndDirective)]

    @cached_property
    def cells(self) -> list[CellDirective]:
        """The cells, if the page is a lab."""
        return [directive for directive in self.directives if isinstance(directive, CellDirective)]

    @cached_property
    def needs(self) -> frozenset[Need]:
        """What of the whole site its directives show."""
        return frozenset().union(*(directive.needs for directive in self.directives))

    @property
    def ids(self) -> list[str]:
        """The explicit ids of its headings."""
        return [heading.id for heading in self.headings if heading.id]

    @property
    def has_code(self) -> bool:
        """Whether the page shows programs or cells."""
        return any(directive.shows_program for directive in self.directives)

    @property
    def title(self) -> str | None:
        """The text of the first heading, None if there is none."""
        return self.headings[0].text if self.headings else None

    def place(self, text: str) -> str:
        """Return where a text first is on the page; only the page, if it came from elsewhere."""
        at = self.body.find(text)
        line = self.front.text.count("\n") + self.body.count("\n", 0, max(at, 0)) + 1
        return f"{self.path}:{line}" if at >= 0 else self.path

    def literal(self, text: str) -> Problem:
        """Return that a text of the page would be published as it is."""
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
            if isinstance(part, Directive):
                line, part = text[text.rfind("\n") + 1 :], render(part)
                if line and line.isspace():
                    part = re.sub(r"\n(?=[^\n])", f"\n{line}", part.rstrip("\n"))
                elif line.lstrip().startswith("|"):
                    part = part.replace("|", "\\|")
            text += part
        return text


def wrong_target(target: str, ids: Mapping[str, Collection[str]]) -> str:
    """Return what is wrong with a target, `leaf.md` or `leaf.md#who`; `ids` are those of each page."""
    name, _, id = target.partition("#")
    if name not in ids:
        return f"there is no page `{name}`.{nearest(name, ids)}"
    if id and id not in ids[name]:
        return f"`{name}` has no id `{id}`.{nearest(id, ids[name])}"
    return ""
