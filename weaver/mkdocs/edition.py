"""One language of the site: its pages, and what their directives need to be shown."""

from dataclasses import replace
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation

from weaver.directives.kind import Directive
from weaver.directives.show import Show
from weaver.mkdocs import addresses, languages
from weaver.mkdocs.kept import digest
from weaver.mkdocs.remembered import remembered
from weaver.mkdocs.sources import Sources
from weaver.pages.glossary import Term, listed
from weaver.pages.way import Way
from weaver.problem import Problem, shown
from weaver.site import downloads
from weaver.site.shelf import Shelf


class Edition:
    """All pages of a language, those among them that another lends it, and the way through them.

    Raises Problem for a page that has moved to where none is.
    """

    def __init__(self, sources: Sources, language: str):
        self.sources, self.language = sources, language
        self.words, self.trace_words = sources.words(language).page, sources.words(language).trace
        self.terms = sources.terms(language)
        fallback = sources.languages.get(language, {}).get("fallback")
        self.origins = sources.content.origins(language if sources.languages else "", fallback)
        self.pages = {path: sources.content.pages[origin][path] for path, origin in self.origins.items()}
        kinds = {path: {one.kind.name for one in page.directives} for path, page in self.pages.items()}
        self.glossary = next((path for path in kinds if "terms" in kinds[path]), None)
        self.way = Way(self.pages, sources.nav)
        self.urls: dict[str, str] = {}  # by the path of the page, once MkDocs has found them
        addresses.check(sources.options.moved, self.pages)

    @remembered
    def show(self, language: str | None = None) -> Show:
        """Return what directives need once all programs have run, on pages in this or another language."""
        return self._show(language or self.language, self.sources.results())

    @remembered
    def unrun(self, language: str) -> Show:
        """Return what directives need on pages in a language while no program has run yet."""
        return self._show(language, {})

    def _show(self, language, results):
        sources, listing = self.sources, listed(self.sources.terms(language))
        about = sources.torch, sources.runner.cache.keep, listing, self.way.listed()
        words = sources.words(language).page
        return Show(sources.content.snippets, results, words, *about, built=sources.built)

    def origin(self, path: str) -> str:
        """Return the language that the page at a path is in: another's while this one lacks it."""
        return self.origins.get(path) or self.language

    def borrow(self, files: Files, config: MkDocsConfig) -> None:
        """Add the pages that are not there in this language yet."""
        if self.sources.languages:
            languages.borrow(files, config, self.origins, self.language)
        self._as_read(files, config)
        self.urls = {file.src_uri: file.url for file in files.documentation_pages()}

    def _as_read(self, files, config):
        """Leave those pages that were read: what came or went since is for the next build."""
        for path in self.pages:
            if not files.get_file_from_path(path):
                files.append(File(path, config.docs_dir, config.site_dir, config.use_directory_urls))
        wanted = InclusionLevel.is_in_serve if self.sources.serving else InclusionLevel.is_included
        at: dict[str, File] = {}
        for file in files.documentation_pages(inclusion=wanted):
            if file.src_dir == config.docs_dir and file.src_uri not in self.pages:
                files.remove(file)
            elif (other := at.setdefault(file.dest_uri, file)) is not file:
                one, two = sorted(shown(Path(config.docs_dir, page.src_uri)) for page in (file, other))
                raise Problem(f"{two} has the same address as {one}. Rename or remove one.")

    def name_sections(self, nav: Navigation) -> None:
        """Give the sections of the navigation their titles in this language."""
        languages.name_sections(nav, self.sections)

    @property
    def sections(self) -> dict[str, str]:
        """The titles of the sections in this language."""
        return self.sources.languages.get(self.language, {}).get("sections", {})

    @remembered
    def show_of(self, path: str) -> Show:
        """Return what the directives of a page need, and no more: nothing else can change it unnoticed."""
        show = self.show(self.origin(path))
        sources, page = self.sources, self.pages[path]
        asked = {name for directive in page.directives for name, _ in sources.content.asked(directive)}
        asked |= {cell.name for cell in page.cells}
        questions = addresses.asked(self.way, path, self.urls)
        questions = tuple(one for one in questions if sources.wrong(one.question) is None)
        asked |= {one.question.name for one in questions}
        kinds = {one.kind.name for one in page.directives}
        return replace(
            show,
            snippets={name: show.snippets[name] for name in sorted(asked & show.snippets.keys())},
            results={name: show.results[name] for name in sorted(asked)},
            stages=show.stages if "stage" in kinds else {},
            built=show.built if "built" in kinds else {},
            asked=questions,
        )

    def show_at(self, url: str, path: str) -> Show:
        """Return the same for the page at the address `url`, from which links to programs lead."""
        up = "../" * (url.count("/") + bool(self.sources.languages))
        return self.show_of(path).at(f"{up}snippets")

    def wrong(self, path: str) -> dict[Directive, str] | None:
        """Return the sentences on a page's directives that can't be shown, if a notice is to say that."""
        if not self.sources.serving:
            return None
        found = ((one, self.sources.wrong(one)) for one in self.pages[path].directives)
        return {directive: sentence for directive, sentence in found if sentence is not None}

    @remembered
    def made_of(self, path: str) -> str | None:
        """Return a digest of a page's text, of what came of its programs, and of how all that is shown."""
        page, show = self.pages[path], replace(self.show_of(path), keep=None)
        terms = self.linked_terms(path)
        return digest(page.path, page.front.text, page.body, show, terms, self.is_compared(path))

    def is_compared(self, path: str) -> bool:
        """Whether what the page says is compared with what another language's says."""
        return sum(path in pages for pages in self.sources.content.pages.values()) > 1

    def linked_terms(self, path: str) -> list[Term]:
        """Return the glossary's terms in the page's language, if the glossary has them."""
        listed = {term.id for term in self.sources.terms(self.origin(self.glossary))} if self.glossary else ()
        return [term for term in self.sources.terms(self.origin(path)) if term.id in listed]

    def notice(self, path: str) -> str:
        """Return what stands above a page that is in another language."""
        return self.words["borrowed"].format(language=self.sources.languages[self.origin(path)]["name"])

    @property
    def root(self) -> str:
        """The way to the edition from what lies above it, where the site's address is not known."""
        return f"{self.language}/" if self.sources.languages else ""

    def shelve(self, shelf: Shelf, site: Path) -> None:
        """Write all programs, their traces and the labs' pictures beside the pages of `site`."""
        sources = self.sources
        shelf.show(site)
        labs = [sources.results()[name] for name in sources.content.labs]
        downloads.write_programs(shelf, sources.content.snippets, labs)
        downloads.write_traces(shelf, sources.content.snippets.values(), self.show())
        shelf.finish()
