"""The way through the pages: the sections of `nav` that a page calls stages, and what each page builds on."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from weaver.directives.kind import Question
from weaver.pages.model import Page
from weaver.problem import Problem, nearest


@dataclass(frozen=True)
class Place:
    """Where a page stands: in which stage of how many, as which of its pages; numbers count from 1."""

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
        self.pages, self.order = pages, list(_flat(nav or []))
        self.sections = {
            name: tuple(_flat(inside))
            for item in nav or []
            if isinstance(item, dict)
            for name, inside in item.items()
            if isinstance(inside, list)
        }
        named = {
            path: [one.argument for one in page.directives if one.kind.name == "stage"]
            for path, page in pages.items()
        }
        self.at = next((path for path, names in named.items() if names), None)
        wanted = named.get(self.at, [])
        self.stages = {name: pages for name, pages in self.sections.items() if name in wanted}
        if problems := [*self._out_of_order(wanted), *self._unfounded()]:
            raise Problem("\n".join(problems))

    def _out_of_order(self, wanted):
        """Yield a sentence if the page has its stages in a different order than the navigation."""
        known = [name for name in wanted if name in self.stages]
        if known != list(self.stages):
            order = ", ".join(self.stages)
            yield f"{self.pages[self.at].path}: its stages aren't in the order of `nav`. Write {order}."

    def _unfounded(self):
        for path, page in self.pages.items():
            place = page.front.place(page.path, "before")
            for target in page.front.says.before:
                name, _, id = target.partition("#")
                ids = [heading.id for heading in self.pages[name].headings] if name in self.pages else []
                if name not in self.pages:
                    yield f"{place}: there is no page `{name}`.{nearest(name, self.pages)}"
                elif id and id not in ids:
                    yield f"{place}: `{name}` has no id `{id}`.{nearest(id, filter(None, ids))}"
                elif not {name, path} <= {*self.order} or self.order.index(name) >= self.order.index(path):
                    yield (
                        f"{place}: `{name}` should be read before `{path}`, but doesn't come before it in "
                        "`nav`. Move one of them."
                    )

    def place(self, path: str) -> Place | None:
        """Return where a page stands, None if it is in no stage."""
        for number, (name, pages) in enumerate(self.stages.items(), 1):
            if path in pages:
                return Place(name, number, len(self.stages), pages.index(path) + 1, len(pages))
        return None

    def section(self, path: str) -> str:
        """Return the section of the navigation that a page stands in, empty if it is in none."""
        return next((name for name, pages in self.sections.items() if path in pages), "")

    def before(self, path: str) -> list[tuple[str, str]]:
        """Return what a page builds on: titles of pages, each with its target, such as `leaf.md#who`."""
        return [(self._title(target), target) for target in self.pages[path].front.says.before]

    def _title(self, target):
        name = target.partition("#")[0]
        return self.pages[name].title or name

    def listed(self) -> dict[str, str]:
        """Return the pages of each section as a Markdown list of links."""
        return {
            name: "".join(f"- [{self._title(path)}]({path})\n" for path in pages if path in self.pages)
            for name, pages in self.sections.items()
        }

    def questions(self) -> list[tuple[Question, str]]:
        """Return all questions in the order of the way, each with the path of its page."""
        order = [*self.order, *(path for path in self.pages if path not in self.order)]
        return [
            (one, path)
            for path in order
            if path in self.pages
            for one in self.pages[path].directives
            if isinstance(one, Question) and one.kind.name == "question"
        ]


def key(path: str) -> str:
    """Return what a page is called where its ending may differ: `labs/gan` for `labs/gan.md`."""
    return str(PurePosixPath(path).with_suffix(""))


def _flat(nav: Iterable[Any]) -> Iterator[str]:
    """Yield the paths of a part of `nav`, in order."""
    for item in nav:
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            for inside in item.values():
                yield from _flat([inside] if isinstance(inside, str) else inside)
