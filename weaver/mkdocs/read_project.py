"""One language of the site as it was read: its pages, and the way through them."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel

from weaver.directives.directive import Need
from weaver.mkdocs import addresses, languages
from weaver.mkdocs.read_site import ReadSite
from weaver.pages.glossary import Term
from weaver.pages.way import Way
from weaver.problem import Problem, shown


class ReadProject:
    """All pages of a language, those among them that another lends it, and the way through them.

    Raises Problem for a page that has moved to where none is.
    """

    def __init__(self, site: ReadSite, language: str) -> None:
        self.site, self.language = site, language
        self.words, self.trace_words = site.words[language].page, site.words[language].trace
        self.terms = site.terms[language]
        self.sections: dict[str, str] = site.languages.get(language, {}).get("sections", {})
        fallback = site.languages.get(language, {}).get("fallback")
        self.origins = site.content.origins(language if site.languages else "", fallback)
        self.pages = {path: site.content.pages[origin][path] for path, origin in self.origins.items()}
        self.glossary = next((path for path, page in self.pages.items() if Need.TERMS in page.needs), None)
        self.way = Way(self.pages, site.nav)
        # the way to the project from what is above it, where the site's address isn't known
        self.root = f"{language}/" if site.languages else ""
        addresses.check(site.options.moved, self.pages)

    def origin(self, path: str) -> str:
        """Return the language that the page at a path is in: another's while this one lacks it."""
        return self.origins.get(path) or self.language

    def is_compared(self, path: str) -> bool:
        """Whether what the page says is compared with what another language's says."""
        return sum(path in pages for pages in self.site.content.pages.values()) > 1

    def linked_terms(self, path: str) -> list[Term]:
        """Return the glossary's terms in the page's language, if the glossary has them."""
        terms = self.site.terms
        listed = {term.id for term in terms[self.origin(self.glossary)]} if self.glossary else set()
        return [term for term in terms[self.origin(path)] if term.id in listed]

    def notice(self, path: str) -> str:
        """Return what stands above a page that is in another language."""
        said: str = self.words["borrowed"]
        return said.format(language=self.site.languages[self.origin(path)]["name"])

    def borrow(self, files: Files, config: MkDocsConfig) -> None:
        """Add the pages that aren't there in this language yet; leave only pages that were read.

        What came or went since is for the next build.
        """
        if self.site.languages:
            languages.borrow(files, config, self.origins, self.language)
        for path in self.pages:
            if not files.get_file_from_path(path):
                files.append(File(path, config.docs_dir, config.site_dir, config.use_directory_urls))
        wanted = InclusionLevel.is_in_serve if self.site.serving else InclusionLevel.is_included
        at: dict[str, File] = {}
        for file in files.documentation_pages(inclusion=wanted):
            if file.src_dir == config.docs_dir and file.src_uri not in self.pages:
                files.remove(file)
            elif (other := at.setdefault(file.dest_uri, file)) is not file:
                one, two = sorted(shown(Path(config.docs_dir, page.src_uri)) for page in (file, other))
                raise Problem(f"{two} has the same address as {one}. Rename or remove one.")
