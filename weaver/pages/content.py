"""The whole of the pages, snippets and labs: what is asked of which, and what is wrong with them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from weaver.directives import KINDS
from weaver.directives.directive import Directive
from weaver.execution.contract import Outcome
from weaver.execution.labs.model import Lab, LabOutcome
from weaver.execution.launch import has_torch
from weaver.execution.protocol import TRACE, Kind, Mode, Query
from weaver.execution.snippets.result import Result
from weaver.execution.snippets.source import Snippet, find, names
from weaver.pages import front_matter
from weaver.pages.model import Page
from weaver.pages.reading import changing, last_read, read
from weaver.pages.translations import differences
from weaver.problem import Problem, nearest, shown

RECORDED = (Kind.GRAPH, Kind.MEMORY, Kind.WHY)  # what is asked of tensors


class Content:
    """The pages under `docs`, in a folder per language (or, without languages, in `docs` itself).

    `pages` maps a language to its pages by their path in the language's folder. Raises Problem,
    with a sentence for each, if a page is malformed, names a snippet that does not exist, or
    says what the same page in another language does not. `files` finds the pages in a folder; `required`
    are the keys that front matter must have. The languages in `partial`, and without `parity` all, may lack
    pages; without `parity` pages are not compared either. Without `traces` no program is asked for its trace.

    With `serving`, nothing is raised: `problems` are the sentences, `refused` those on directives, by their
    place, which ask nothing. A page that can't be read is what it last was, or empty.
    """

    def __init__(
        self,
        docs: Path,
        snippets: Path,
        languages: tuple[str, ...] = (),
        files: Callable[[Path], Iterable[Path]] = lambda folder: folder.rglob("*.md"),
        required: Collection[str] = (),
        partial: Collection[str] = (),
        parity: bool = True,
        traces: bool = True,
        serving: bool = False,
    ):
        self.docs, self.folder, self.languages = docs, snippets, languages
        self.traces = traces and has_torch()
        self.problems: list[str] = []
        self.refused: dict[str, str] = {}
        self.pages: dict[str, dict[str, Page]] = {}
        for language in languages or ("",):
            folder = docs / language
            named = {path.relative_to(folder).as_posix(): path for path in sorted(files(folder))}
            self.pages[language] = {name: self._read(path, name, required) for name, path in named.items()}
        self.labs: dict[str, Lab] = {}
        for page in self.all_pages():
            for cell in page.cells[:1]:
                self.labs[cell.name] = Lab(cell.name, tuple(cell.argument for cell in page.cells))
        self.snippets: dict[str, Snippet] = {}
        for directive in self.directives():
            for name, query in directive.asks:
                self._refuse(directive, self._wrong_name(directive, name, query))
        for directive in self.directives():
            if directive.flips and directive.name in self.snippets:
                self._add_variants(directive, self.snippets[directive.name])
        self._refuse_cells()
        if not self.problems and parity:
            self.problems += self._unpaired(partial)
        if not serving:
            _stop(self.problems)

    def _read(self, path: Path, name: str, required: Collection[str]) -> Page:
        """Return a page; as it was, if it can't be read."""
        try:
            page = read(path, name)
        except Problem as problem:
            self.problems.append(str(problem))
            return last_read(path)
        self.problems += changing(page)
        self.problems += front_matter.lacks(page.front, page.path, page.title, required)
        return page

    def _refuse(self, directive: Directive, sentence: str) -> None:
        if sentence:
            self.refused[directive.place] = sentence
            self.problems.append(sentence)

    def _refuse_cells(self) -> None:
        """Refuse the cells that aren't the lab's, which runs as the last language has it."""
        for cell in (cell for page in self.all_pages() for cell in page.cells):
            if self.labs[cell.name].cells[cell.number - 1 : cell.number] != (cell.argument,):
                self.refused[cell.place] = (
                    f"{cell.place}: this cell differs from the other language's. Make them the same."
                )

    def _wrong_name(self, directive: Directive, name: str, query: Query | None) -> str:
        """Find the snippet that a directive names, if it's new; return what's wrong with that, or nothing."""
        if name in self.labs:
            if query and query.mode is Mode.PLAIN and not directive.shows_program:
                return ""
            return (
                f"{directive.place}: `{directive.name}` is a lab. Show only its values here: "
                "its own page shows its cells."
            )
        if name.startswith("labs/"):
            return f"{directive.place}: there is no lab `{name}`.{nearest(name, self.labs)}"
        if name not in self.snippets:
            try:
                self.snippets[name] = find(self.folder, name)
            except Problem as problem:
                return f"{directive.place}: {problem}"
        if query and query.kind in RECORDED and not has_torch():
            return (
                f"{directive.place}: `{{{{ {directive.kind} }}}}` needs torch, which isn't installed. "
                "Install it, or remove the directive."
            )
        return ""

    def _add_variants(self, directive: Directive, snippet: Snippet) -> None:
        self.snippets |= {one.name: one for one in snippet.others}
        if not snippet.others:
            self._refuse(
                directive,
                f"{directive.place}: `{directive.name}` offers no alternatives. Write `# or: ...` "
                f"after a line of {shown(snippet.path)}, or show it as a snippet.",
            )

    def _unpaired(self, partial: Collection[str]) -> Iterator[str]:
        """Yield what one language has and another lacks, page by page."""
        first, *others = self.pages
        for other in others:
            for name in sorted(self.pages[first].keys() | self.pages[other].keys()):
                one, two = self.pages[first].get(name), self.pages[other].get(name)
                if one and two:
                    yield from differences(one, two)
                elif (lacking := other if one else first) not in partial:
                    [there] = filter(None, (one, two))
                    path = shown(self.docs / lacking / name)
                    yield f"{path} is missing: {there.path} has no counterpart. Write it."

    def origins(self, language: str, fallback: str | None = None) -> dict[str, str]:
        """Return each page that readers of a language find, and the language that it is in.

        That is another where the page is not in theirs: `fallback`, or else the first that has it.
        """
        found = dict.fromkeys(self.pages[language], language)
        for other in (*([fallback] if fallback else []), *self.languages):
            found |= {name: other for name in self.pages[other] if name not in found}
        return found

    def directives(self) -> list[Directive]:
        """Return every directive of every page, in order."""
        return [directive for page in self.all_pages() for directive in page.directives]

    def all_pages(self) -> list[Page]:
        """Return the pages of all languages."""
        return [page for pages in self.pages.values() for page in pages.values()]

    def unshown(self) -> list[str]:
        """Return the names of the snippets that no page asks for."""
        return sorted(set(names(self.folder)) - self.snippets.keys())

    def unflipped(self) -> list[str]:
        """Return the names of the snippets whose alternatives no page shows."""
        offering = {name: one.others[0].name for name, one in self.snippets.items() if one.others}
        return sorted(name for name, other in offering.items() if other not in self.snippets)

    def asked(self, directive: Directive) -> list[tuple[str, Query | None]]:
        """Return what a directive asks of which program: in a what-if, of each of its variants."""
        if directive.place in self.refused:
            return []
        of = directive.what_if and directive.what_if.name
        return [
            (one, query)
            for name, query in directive.asks
            for one in ([one.name for one in self.snippets[name].variants] if name == of else [name])
        ]

    def asked_of_snippets(self, order: Sequence[str] = ()) -> list[tuple[Snippet, list[Query]]]:
        """Return each snippet with the queries of the pages of all languages.

        Those of the pages whose paths `order` has come first, page by page.
        """
        at = {path: number for number, path in enumerate(order)}
        pages = [one for pages in self.pages.values() for one in pages.items() if one[0] in at]
        pages.sort(key=lambda one: at[one[0]])
        asked = [name for _, page in pages for one in page.directives for name, _ in self.asked(one)]
        names = [name for name in dict.fromkeys([*asked, *self.snippets]) if name in self.snippets]
        return [(self.snippets[name], self._queries.get(name, [])) for name in names]

    def asked_of_labs(self) -> list[tuple[Lab, list[Query]]]:
        """Return each lab with the queries of the pages of all languages."""
        return [(lab, self._queries.get(name, [])) for name, lab in self.labs.items()]

    @cached_property
    def _queries(self) -> dict[str, list[Query]]:
        """What is asked, by the name of the program that is asked."""
        queries: dict[str, list[Query]] = {}
        for directive in self.directives():
            for name, query in self.asked(directive):
                asked = queries.setdefault(name, [])
                asked += [query] if query else []
                asked += [TRACE] if self.traces and directive.is_traced else []
        return queries

    @property
    def traced(self) -> set[str]:
        """The names of the programs that readers can step through."""
        return {name for name, queries in self._queries.items() if TRACE in queries and name in self.snippets}

    @property
    def counts(self) -> dict[str, int]:
        """How many programs the pages show, variants included, and of how many they show an error, ..."""
        facts = {kind.counts_as for kind in KINDS.values() if kind.counts_as}
        shown = {(one.counts_as, one.name) for one in self.directives()}
        counts = {fact: sum(counted == fact for counted, _ in shown) for fact in facts}
        return {"programs": len(self.snippets), **counts}

    def check(self, results: Mapping[str, Outcome]) -> None:
        """Raise Problem, with a sentence per snippet and lab, if there is one that cannot be published."""
        _stop(self.failures(results).values())

    def failures(self, results: Mapping[str, Outcome]) -> dict[str, str]:
        """Return a sentence for each program that cannot be published, by its name, or the cell's place."""
        places: dict[str, dict[str, None]] = {}
        for directive in self.directives():
            for name, _ in self.asked(directive):
                places.setdefault(name, {})[directive.place] = None
        failures = {}
        for name, found in places.items():
            result = results[name]
            if isinstance(result, Result) and result.failure:
                said = complaint(self.snippets[name], result)
                failures[name] = f"{said} Shown in: {', '.join(found)}."
        for name in self.labs:
            outcome = results[name]
            assert isinstance(outcome, LabOutcome)
            failures |= self._failed_cells(name, outcome)
        return failures

    def _failed_cells(self, name: str, outcome: LabOutcome) -> dict[str, str]:
        """Return a sentence on a lab that failed, or per picture of it that is not described."""
        cells = [cell for page in self.all_pages() for cell in page.cells if cell.name == name]
        if outcome.failure:
            failed = [cell for cell in cells if cell.number == (outcome.failed or 1)] or cells[:1]
            places = " and ".join(f"{cell.page}:{cell.line + (outcome.line or 0)}" for cell in failed)
            which = f"cell {outcome.failed}" if outcome.failed else "the lab"
            return {name: f"{places}: {which} {outcome.failure}"}
        return {
            cell.place: f"{cell.place}: the picture of cell {cell.number} has no text for people who "
            'can\'t see it. Write `alt="what it shows"` after `python`.'
            for cell in cells
            if cell.place not in self.refused
            and "<img" in outcome.html[cell.number - 1]
            and not cell.alt.strip()
        }


def complaint(snippet: Snippet, result: Result) -> str:
    """Return the sentence on why a snippet cannot be published: its file, its line and the reason."""
    line = snippet.line_of_file(result.failure_line)
    return f"{shown(snippet.path)}:{line}: {snippet.noun} {result.failure}"


def _stop(problems: Collection[str]) -> None:
    if problems:
        raise Problem("\n".join(problems))
