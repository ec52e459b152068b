"""The way through the pages: the sections of `nav` that a page calls stages, and what each page builds on."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from weaver.directives.directive import Need
from weaver.directives.question import QuestionDirective
from weaver.pages.model import Page, wrong_target
from weaver.problem import Problem


@dataclass(frozen=True)
class Position:
    """Where a page is: in which stage of how many, as which of its pages; numbers count from 1."""

    stage: str
    number: int
    stages: int
    page: int
    pages: int


class Way:
    """The way through `pages`, which are by their paths, in the order of `nav` as mkdocs.yml has it.

    `at` is the page whose directives name the stages, None if there is none. Raises Problem, with a
    sentence for each, if a page builds on what is not there, or comes later.
    """

    def __init__(self, pages: Mapping[str, Page], nav: list[Any] | None):
        self.pages, self.order = pages, list(flat(nav or []))
        self.sections = {
            name: tuple(flat(inside))
            for item in nav or []
            if isinstance(item, dict)
            for name, inside in item.items()
            if isinstance(inside, list)
        }
        named = {
            path: [one.argument for one in page.directives if Need.STAGES in one.needs]
            for path, page in pages.items()
        }
        self.at = next((path for path, names in named.items() if names), None)
        wanted = named[self.at] if self.at else []
        self.stages = {name: pages for name, pages in self.sections.items() if name in wanted}
        if problems := [*self._out_of_order(wanted), *self._unfounded()]:
            raise Problem("\n".join(problems))

    def _out_of_order(self, wanted: list[str]) -> Iterator[str]:
        """Yield a sentence if the page has its stages in a different order than the navigation."""
        known = [name for name in wanted if name in self.stages]
        if self.at and known != list(self.stages):
            order = ", ".join(self.stages)
            yield f"{self.pages[self.at].path}: its stages aren't in the order of `nav`. Write {order}."

    def _unfounded(self) -> Iterator[str]:
        ids = {path: page.ids for path, page in self.pages.items()}
        for path, page in self.pages.items():
            place = page.front.place(page.path, "before")
            for target in page.front.says.before:
                name = target.partition("#")[0]
                if wrong := wrong_target(target, ids):
                    yield f"{place}: {wrong}"
                elif not {name, path} <= {*self.order} or self.order.index(name) >= self.order.index(path):
                    yield (
                        f"{place}: `{name}` should be read before `{path}`, but doesn't come before it in "
                        "`nav`. Move one of them."
                    )

    def place(self, path: str) -> Position | None:
        """Return where a page is, None if it is in no stage."""
        for number, (name, pages) in enumerate(self.stages.items(), 1):
            if path in pages:
                return Position(name, number, len(self.stages), pages.index(path) + 1, len(pages))
        return None

    def section(self, path: str) -> str:
        """Return the section of the navigation that a page is in, empty if it is in none."""
        return next((name for name, pages in self.sections.items() if path in pages), "")

    def before(self, path: str) -> list[tuple[str, str]]:
        """Return what a page builds on: titles of pages, each with its target, such as `leaf.md#who`."""
        return [(self._title(target), target) for target in self.pages[path].front.says.before]

    def _title(self, target: str) -> str:
        name = target.partition("#")[0]
        return self.pages[name].title or name

    def listed(self) -> dict[str, str]:
        """Return the pages of each section as a Markdown list of links."""
        return {
            name: "".join(f"- [{self._title(path)}]({path})\n" for path in pages if path in self.pages)
            for name, pages in self.sections.items()
        }

    def questions(self) -> list[tuple[QuestionDirective, str]]:
        """Return all questions in the order of the way, each with the path of its page."""
        order = [*self.order, *(path for path in self.pages if path not in self.order)]
        return [
            (one, path)
            for path in order
            if path in self.pages
            for one in self.pages[path].directives
            if isinstance(one, QuestionDirective)
        ]


def key(path: str) -> str:
    """Return what a page is called where its ending may differ: `labs/gan` for `labs/gan.md`."""
    return str(PurePosixPath(path).with_suffix(""))


def flat(nav: Iterable[Any]) -> Iterator[str]:
    """Yield the paths of a part of `nav`, in order."""
    for item in nav:
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            for inside in item.values():
                yield from flat([inside] if isinstance(inside, str) else inside)
