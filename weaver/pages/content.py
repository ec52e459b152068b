"""The whole of the pages, snippets and labs: what is asked of which, and what is wrong with them."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path

from weaver.directives.kind import Cell, Directive
from weaver.execution.contract import Outcome
from weaver.execution.labs.model import Lab
from weaver.execution.launch import has_torch
from weaver.execution.protocol import TRACE, Kind, Mode, Query
from weaver.execution.snippets.result import Result
from weaver.execution.snippets.source import Snippet, find, names
from weaver.pages import front_matter
from weaver.pages.model import Page
from weaver.pages.reading import changing, last_read, misplaced, read
from weaver.pages.translations import differences
from weaver.problem import Problem, nearest, shown

RECORDED = (Kind.GRAPH, Kind.MEMORY)  # what is asked of tensors


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
        problems: list[str] = []
        self.refused: dict[str, str] = {}
        self.pages: dict[str, dict[str, Page]] = {}
        for language in languages or ("",):
            self.pages[language] = {}
            for path in sorted(files(docs / language)):
                name = path.relative_to(docs / language).as_posix()
                try:
                    page = read(path)
                except Problem as problem:
                    problems.append(str(problem))
                    if serving:
                        self.pages[language][name] = last_read(path)
                    continue
                self.pages[language][name] = page
                problems += misplaced(page, name) + changing(page)
                problems += front_matter.lacks(page.front, page.path, page.title, required)
        self.labs: dict[str, Lab] = {}
        for page in self.all_pages():
            for name in {cell.name for cell in page.cells}:
                self.labs[name] = Lab(name, tuple(cell.argument for cell in page.cells))
        self.snippets: dict[str, Snippet] = {}
        for directive in self.directives():
            for name, query in directive.asks:
                if said := self._wrong_name(directive, name, query):
                    self.refused[directive.place] = said
                    problems.append(said)
        problems += self._add_variants()
        self._refuse_cells()
        self.problems = problems or (self._unpaired(partial) if parity else [])
        if not serving:
            _stop(self.problems)

    def origins(self, language: str, fallback: str | None = None) -> dict[str, str]:
        """Return each page that readers of a language find, and the language that it is in.

        That is another where the page is not in theirs: `fallback`, or else the first that has it.
        """
        found = {name: language for name in self.pages[language]}
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

    def _refuse_cells(self):
        """Refuse the cells that aren't the lab's, which runs as the last language has it."""
        for cell in (cell for page in self.all_pages() for cell in page.cells):
            if self.labs[cell.name].cells[cell.number - 1 : cell.number] != (cell.argument,):
                self.refused[cell.place] = (
                    f"{cell.place}: this cell differs from the other language's. Make them the same."
                )

    def _wrong_name(self, directive, name, query):
        """Find the snippet that a directive names, if it's new; return what is wrong with that, or None."""
        if name in self.labs:
            return _wrong_of_a_lab(directive, query)
        if name.startswith("labs/"):
            return f"{directive.place}: there is no lab `{name}`.{nearest(name, self.labs)}"
        if name not in self.snippets:
            try:
                self.snippets[name] = find(self.folder, name)
            except Problem as problem:
                return f"{directive.place}: {problem}"
        if query and query.kind in RECORDED and not has_torch():
            return (
                f"{directive.place}: `{{{{ {directive.kind.name} }}}}` needs torch, which isn't installed. "
                "Install it, or remove the directive."
            )
        return None

    def _add_variants(self):
        """Add the variants that what-ifs show; return what is wrong with those."""
        problems = []
        for directive in self.directives():
            snippet = self.snippets.get(directive.name)
            if directive.kind.flips and snippet:
                self.snippets |= {one.name: one for one in snippet.others}
                if not snippet.others:
                    problems.append(
                        f"{directive.place}: `{directive.name}` offers no alternatives. Write `# or: ...` "
                        f"after a line of {shown(snippet.path)}, or show it as a snippet."
                    )
                    self.refused[directive.place] = problems[-1]
        return problems

    def asked_of_snippets(self) -> list[tuple[Snippet, list[Query]]]:
        """Return each snippet with the queries of the pages of all languages."""
        return [(snippet, self._queries.get(name, [])) for name, snippet in self.snippets.items()]

    def asked_of_labs(self) -> list[tuple[Lab, list[Query]]]:
        """Return each lab with the queries of the pages of all languages."""
        return [(lab, self._queries.get(name, [])) for name, lab in self.labs.items()]

    def check(self, results: Mapping[str, Outcome]) -> None:
        """Raise Problem, with a sentence per snippet and lab, if there is one that cannot be published."""
        _stop(self.failures(results).values())

    def failures(self, results: Mapping[str, Outcome]) -> dict[str, str]:
        """Return a sentence for each program that cannot be published, by its name, or the cell's place."""
        places: dict[str, list[str]] = {}
        for directive in self.directives():
            for name, _ in self.asked(directive):
                places.setdefault(name, []).append(directive.place)
        failures = {}
        for name, found in places.items():
            if name in self.snippets and results[name].failure:
                where = ", ".join(dict.fromkeys(found))
                failures[name] = f"{complaint(self.snippets[name], results[name])} Shown in: {where}."
        return failures | self._failed_cells(results)

    @property
    def counts(self) -> dict[str, int]:
        """How many programs the pages show, variants included, and how many show an error, decide a claim."""

        def about(kind):
            return len({one.name for one in self.directives() if one.kind.name == kind})

        return {"programs": len(self.snippets), "errors": about("error"), "claims": about("verdict")}

    @property
    def traced(self) -> set[str]:
        """The names of the programs that readers can step through."""
        return {
            name
            for one in self.directives()
            if self.traces and one.kind.is_traced
            for name, _ in self.asked(one)
            if name in self.snippets
        }

    @cached_property
    def _queries(self):
        """Return what is asked, by the name of the program that is asked."""
        queries = {}
        for directive in self.directives():
            for name, query in self.asked(directive):
                asked = queries.setdefault(name, [])
                asked += [query] if query else []
                asked += [TRACE] if self.traces and directive.kind.is_traced else []
        return queries

    def _failed_cells(self, results):
        """Return a sentence per lab that failed, and per picture of a lab that is not described."""
        failures = {}
        for name in self.labs:
            cells = [cell for page in self.all_pages() for cell in page.cells if cell.name == name]
            outcome = results[name]
            if outcome.failure:
                failed = [cell for cell in cells if cell.number == (outcome.failed or 1)]
                within = outcome.line or 0
                places = " and ".join(f"{cell.page}:{cell.line + within}" for cell in failed or cells[:1])
                which = f"cell {outcome.failed}" if outcome.failed else "the lab"
                failures[name] = f"{places}: {which} {outcome.failure}"
                continue
            failures |= {
                cell.place: f"{cell.place}: the picture of cell {cell.number} has no text for people who "
                'can\'t see it. Write `alt="what it shows"` after `python`.'
                for cell in cells
                if cell.place not in self.refused
                and "<img" in outcome.html[cell.number - 1]
                and not cell.alt.strip()
            }
        return failures

    def _unpaired(self, partial):
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
                elif (other if one else first) not in partial:
                    lacking = shown(self.docs / (other if one else first) / name)
                    problems.append(
                        f"{lacking} is missing: {(one or two).path} has no counterpart. Write it."
                    )
        return problems


def _wrong_of_a_lab(directive, query):
    """Return what is wrong with asking this of a lab: it shows itself on its page, and has no graph."""
    is_value = query and query.mode is Mode.PLAIN and not directive.kind.shows_program
    if is_value or isinstance(directive, Cell):
        return None
    return (
        f"{directive.place}: `{directive.name}` is a lab. Show only its values here: "
        "its own page shows its cells."
    )


def complaint(snippet: Snippet, result: Result) -> str:
    """Return the sentence on why a snippet cannot be published: its file, its line and the reason."""
    line = snippet.line_of_file(result.failure_line)
    return f"{shown(snippet.path)}:{line}: {snippet.noun} {result.failure}"


def _stop(problems):
    if problems:
        raise Problem("\n".join(problems))
