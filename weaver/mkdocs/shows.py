"""What the directives of each page of a project are shown with, once all programs have run."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from weaver.directives.directive import Directive, Need, Show
from weaver.execution.contract import RUNNING, Outcome
from weaver.mkdocs import addresses
from weaver.mkdocs.page_cache import digest
from weaver.mkdocs.read_project import ReadProject
from weaver.pages.glossary import listed


class Shows:
    """`of` and `made_of` are computed once for each page; `urls` are the addresses of pages, by path.

    `whole` is what any directive needs on pages in a language.
    """

    def __init__(self, read: ReadProject, urls: Mapping[str, str]) -> None:
        self.read, self.urls = read, urls
        self.of = cache(self._of)
        self.made_of = cache(self._made_of)
        self.whole = cache(lambda language: self.show(language, read.site.results))
        self.terms = cache(self._terms)

    def at(self, url: str, path: str) -> Show:
        """Return what a page needs at the address `url`, from which links to programs lead."""
        up = "../" * (url.count("/") + bool(self.read.site.languages))
        return self.of(path).at(f"{up}snippets")

    def wrong(self, path: str) -> dict[Directive, str] | None:
        """Return the sentences on a page's directives that can't be shown, if a notice is to say that."""
        site = self.read.site
        if not site.serving:
            return None
        found = ((one, self._wrong(one)) for one in self.read.pages[path].directives)
        return {directive: sentence for directive, sentence in found if sentence is not None}

    def _wrong(self, directive: Directive) -> str | None:
        site, asked = self.read.site, self.read.way.questions() if Need.QUESTIONS in directive.needs else []
        waits = not site.waits and any(site.wrong(one) == RUNNING for one, _ in asked)
        return RUNNING if waits else site.wrong(directive)

    def show(self, language: str, results: Mapping[str, Outcome]) -> Show:
        """Return what directives need on pages in a language; without `results`, no program has run yet."""
        site = self.read.site
        about = site.torch, site.cache.keep, self.terms(language), self.read.way.listed(), site.built
        return Show(
            site.content.snippets,
            results,
            site.words[language].page,
            *about,
            versions=site.versions,
            changes=site.changes,
            why=site.words[language].why,
        )

    def _terms(self, language: str) -> str:
        site = self.read.site
        return listed(site.terms[language], site.words[language].page["letters"])

    def _of(self, path: str) -> Show:
        """Return what the directives of a page need, and no more: nothing else can change it unnoticed."""
        read, site = self.read, self.read.site
        page = read.pages[path]
        asked = {name for directive in page.directives for name, _ in site.content.asked(directive)}
        asked |= {cell.name for cell in page.cells}
        questions = addresses.asked(read.way, path, self.urls) if Need.QUESTIONS in page.needs else ()
        questions = tuple(one for one in questions if site.wrong(one.question) is None)
        asked |= {one.question.name for one in questions}
        figures = dict.fromkeys(one.name for one in page.directives if one.shows_program and one.is_named)
        places = addresses.figures(read.pages, path, self.urls) if Need.CHANGES in page.needs else {}
        pages = addresses.pages(path, self.urls) if Need.WHY in page.needs else {}
        whole = replace(
            self.whole(read.origin(path)),
            questions=questions,
            figures=tuple(figures),
            addresses=places,
            pages=pages,
        )
        return whole.narrowed(page.needs, asked)

    def _made_of(self, path: str) -> str | None:
        """Return a digest of a page's text, of what came of its programs, and of how all that is shown."""
        read = self.read
        page, show = read.pages[path], self.of(path)
        told = read.linked_terms(path), read.is_compared(path), list((self.wrong(path) or {}).values())
        return digest(page.path, page.front.text, page.body, show, told)
