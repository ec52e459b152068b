"""The whole of the pages, snippets and labs: what is asked of which, and what is wrong with them."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path

from weaver.directives.kind import Cell, Directive
from weaver.execution.contract import Outcome
from weaver.execution.labs.model import Lab
from weaver.execution.protocol import TRACE, Mode, Query
from weaver.execution.snippets.result import Result
from weaver.execution.snippets.source import Snippet, find, names
from weaver.pages import front_matter
from weaver.pages.model import Page
from weaver.pages.parser import parse
from weaver.pages.translations import differences
from weaver.problem import Problem, nearest, shown


class Content:
    """The pages under `docs`, in a folder per language (or, without languages, in `docs` itself).

    `pages` maps a language to its pages by their path in the language's folder. Raises Problem,
    with a sentence for each, if a page is malformed, names a snippet that does not exist, or
    says what the same page in another language does not. `files` finds the pages in a folder; `required`
    are the keys that front matter must have.
    """

    def __init__(
        self,
        docs: Path,
        snippets: Path,
        languages: tuple[str, ...] = (),
        files: Callable[[Path], Iterable[Path]] = lambda folder: folder.rglob("*.md"),
        required: Collection[str] = (),
    ):
        self.docs, self.folder, self.languages = docs, snippets, languages
        problems = []
        self.pages: dict[str, dict[str, Page]] = {}
        for language in languages or ("",):
            self.pages[language] = {}
            for path in sorted(files(docs / language)):
                try:
                    page = parse(_text(path), shown(path))
                except Problem as problem:
                    problems.append(str(problem))
                    continue
                name = path.relative_to(docs / language).as_posix()
                self.pages[language][name] = page
                problems += _misplaced(page, name)
                problems += front_matter.lacks(page.front, page.path, page.title, required)
        self.labs: dict[str, Lab] = {}
        for page in self.all_pages():
            for name in {cell.name for cell in page.cells}:
                self.labs[name] = Lab(name, tuple(cell.argument for cell in page.cells))
        self.snippets: dict[str, Snippet] = {}
        for directive in self.directives():
            for name, query in directive.asks:
                if name in self.labs:
                    problems += _wrong_of_a_lab(directive, query)
                elif name.startswith("labs/"):
                    problems.append(f"{directive.place}: there is no lab `{name}`.{nearest(name, self.labs)}")
                elif name not in self.snippets:
                    try:
                        self.snippets[name] = find(snippets, name)
                    except Problem as problem:
                        problems.append(f"{directive.place}: {problem}")
        _stop(problems or self._unpaired())

    def directives(self) -> list[Directive]:
        """Return every directive of every page, in order."""
        return [directive for page in self.all_pages() for directive in page.directives]

    def all_pages(self) -> list[Page]:
        """Return the pages of all languages."""
        return [page for pages in self.pages.values() for page in pages.values()]

    def unshown(self) -> list[str]:
        """Return the names of the snippets that no page asks for."""
        return sorted(set(names(self.folder)) - self.snippets.keys())

    def asked_of_snippets(self) -> list[tuple[Snippet, list[Query]]]:
        """Return each snippet with the queries of the pages of all languages."""
        return [(snippet, self._queries.get(name, [])) for name, snippet in self.snippets.items()]

    def asked_of_labs(self) -> list[tuple[Lab, list[Query]]]:
        """Return each lab with the queries of the pages of all languages."""
        return [(lab, self._queries.get(name, [])) for name, lab in self.labs.items()]

    def check(self, results: Mapping[str, Outcome]) -> None:
        """Raise Problem, with a sentence per snippet and lab, if there is one that cannot be published."""
        places: dict[str, list[str]] = {}
        for directive in self.directives():
            for name, _ in directive.asks:
                places.setdefault(name, []).append(directive.place)
        problems = []
        for name, found in places.items():
            if name in self.snippets and results[name].failure:
                where = ", ".join(dict.fromkeys(found))
                problems.append(f"{complaint(self.snippets[name], results[name])} Shown in: {where}.")
        _stop(problems + self._failed_cells(results))

    @property
    def traced(self) -> set[str]:
        """The names of the programs that readers can step through."""
        traced = (one for one in self.directives() if one.kind.is_traced)
        return {name for one in traced for name, _ in one.asks if name in self.snippets}

    @cached_property
    def _queries(self):
        """Return what is asked, by the name of the program that is asked."""
        queries = {}
        for directive in self.directives():
            for name, query in directive.queries:
                queries.setdefault(name, []).append(query)
            for name in {name for name, _ in directive.asks} if directive.kind.is_traced else ():
                queries.setdefault(name, []).append(TRACE)
        return queries

    def _failed_cells(self, results):
        """Return a sentence per lab that failed, and per picture of a lab that is not described."""
        problems = []
        for name in self.labs:
            cells = [cell for page in self.all_pages() for cell in page.cells if cell.name == name]
            outcome = results[name]
            if outcome.failure:
                failed = [cell for cell in cells if cell.number == (outcome.failed or 1)]
                within = outcome.line or 0
                places = " and ".join(f"{cell.page}:{cell.line + within}" for cell in failed or cells[:1])
                which = f"cell {outcome.failed}" if outcome.failed else "the lab"
                problems.append(f"{places}: {which} {outcome.failure}")
                continue
            problems += [
                f"{cell.place}: the picture of cell {cell.number} lacks words for those who cannot see it. "
                'Write `alt="what it shows"` behind `python`.'
                for cell in cells
                if "<img" in outcome.html[cell.number - 1] and not cell.alt
            ]
        return problems

    def _unpaired(self):
        """Return what one language has and another lacks, page by page."""
        if not self.languages:
            return []
        first, *others = self.languages
        problems = []
        for other in others:
            for name in sorted(self.pages[first].keys() | self.pages[other].keys()):
                one, two = self.pages[first].get(name), self.pages[other].get(name)
                if one and two:
                    problems += differences(one, two)
                else:
                    lacking = shown(self.docs / (other if one else first) / name)
                    problems.append(
                        f"{lacking} is missing: {(one or two).path} has no counterpart. Write it."
                    )
        return problems


def _misplaced(page, name):
    """Return what is wrong with a lab outside of `labs`, and with a page there that is none."""
    here = re.fullmatch(r"labs/(?!index\.md)[^/]+", name)
    if page.cells and not here:
        return [f"{page.cells[0].place}: a lab lies in the folder `labs` of its language. Move the page."]
    if here and not page.cells and not re.search(r"^jupyter:", page.front, re.M):
        return [f"{page.path}:1: a lab needs a line `jupyter: ...` in its front matter. See CONTRIBUTING.md."]
    return []


def _wrong_of_a_lab(directive, query):
    """Return what is wrong with asking this of a lab: it shows itself on its page, and has no graph."""
    is_value = query and query.mode is Mode.PLAIN and not directive.kind.shows_program
    if is_value or isinstance(directive, Cell):
        return []
    return [
        f"{directive.place}: `{directive.name}` is a lab. Ask for values of it; its page shows its cells."
    ]


def complaint(snippet: Snippet, result: Result) -> str:
    """Return the sentence on why a snippet cannot be published: its file, its line and the reason."""
    return f"{shown(snippet.path)}:{result.failure_line or 1}: the snippet {result.failure}"


def _text(path):
    """Return what a page's file holds. Raises Problem if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise Problem(f"{shown(path)}: byte {error.start} is not UTF-8. Save the page as UTF-8.") from None
    except OSError as error:
        raise Problem(f"{shown(path)}: cannot be read: {error.strerror}. Mend or remove it.") from None


def _stop(problems):
    if problems:
        raise Problem("\n".join(problems))
