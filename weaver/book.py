"""The whole of the pages and snippets: what is asked of which snippet, and what is wrong with them."""

from collections.abc import Mapping
from pathlib import Path

from weaver.page import Directive, Page, parse
from weaver.pair import differences
from weaver.problem import Problem, shown
from weaver.result import Result
from weaver.snippet import Snippet, find


class Book:
    """The pages under `docs`, in a folder per language (or, without languages, in `docs` itself).

    `pages` maps a language to its pages by their path in the language's folder. Raises Problem,
    with a sentence for each, if a page is malformed, names a snippet that does not exist, or
    says what the same page in another language does not.
    """

    def __init__(self, docs: Path, snippets: Path, languages: tuple[str, ...] = ()):
        self.docs, self.languages = docs, languages
        problems = []
        self.pages: dict[str, dict[str, Page]] = {}
        for language in languages or ("",):
            self.pages[language] = {}
            for path in sorted((docs / language).rglob("*.md")):
                try:
                    page = parse(path.read_text(encoding="utf-8"), shown(path))
                    self.pages[language][path.relative_to(docs / language).as_posix()] = page
                except Problem as problem:
                    problems.append(str(problem))
        self.snippets: dict[str, Snippet] = {}
        for directive in self.directives():
            for name, _ in directive.asks:
                if name not in self.snippets:
                    try:
                        self.snippets[name] = find(snippets, name)
                    except Problem as problem:
                        problems.append(f"{directive.place}: {problem}")
        _stop(problems or self._unpaired())

    def directives(self) -> list[Directive]:
        """Return every directive of every page, in order."""
        return [d for pages in self.pages.values() for page in pages.values() for d in page.directives]

    def asked(self) -> list[tuple[Snippet, list[str]]]:
        """Return each snippet with the looks that the pages of all languages ask for."""
        looks = {name: [] for name in self.snippets}
        for directive in self.directives():
            for name, look in directive.asks:
                if look:
                    looks[name].append(look)
        return [(self.snippets[name], looks[name]) for name in self.snippets]

    def check(self, results: Mapping[str, Result]) -> None:
        """Raise Problem, with a sentence per snippet, if there is one that cannot be published."""
        places = {}
        for directive in self.directives():
            for name, _ in directive.asks:
                places.setdefault(name, []).append(directive.place)
        problems = []
        for name, found in places.items():
            if results[name].failure:
                problems.append(f"{' and '.join(found)}: {complaint(self.snippets[name], results[name])}")
        _stop(problems)

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


def complaint(snippet: Snippet, result: Result) -> str:
    """Return the sentence on why a snippet cannot be published: its file, its line and the reason."""
    return f"{shown(snippet.path)}:{result.failure_line or 1}: the snippet {result.failure}"


def _stop(problems):
    if problems:
        raise Problem("\n".join(problems))
