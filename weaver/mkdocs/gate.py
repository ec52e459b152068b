"""The project of `mkdocs.yml`: the pages above the languages' folders, and a project per language below."""

from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page as MkDocsPage

from weaver.mkdocs import languages
from weaver.mkdocs.edition import Edition
from weaver.mkdocs.marks import Marks
from weaver.mkdocs.project import Project
from weaver.mkdocs.sources import Sources
from weaver.pages import front_matter
from weaver.pages.model import Page
from weaver.problem import shown
from weaver.site import downloads
from weaver.site.shelf import Shelf


class Gate:
    """The pages above the languages' folders; `build_projects` builds the project of each language.

    Without languages there is one project, that of `mkdocs.yml`. Raises Problem, as `Edition` does.
    """

    def __init__(self, config: MkDocsConfig, sources: Sources, shelf: Shelf):
        self.config, self.sources, self.shelf = config, sources, shelf
        self.projects: list[Project] = []
        self.reading: Marks | None = None  # of the page above the languages that is being read
        self._read: dict[str, str] = {}  # the texts of those pages, by their paths
        if sources.languages:
            languages.make_gate(config, sources.languages, sources.words)
        else:
            self.projects.append(Project(Edition(sources, languages.of(config))))

    def again(self) -> "Gate":
        """Return the gate of another build with the same configuration. Raises Problem."""
        return Gate(self.config, self.sources.again(), self.shelf)

    def source(self, page: MkDocsPage) -> str:
        """Read the text of a page above the languages' folders."""
        self._read[page.file.src_uri] = text = page.file.content_string
        return text

    def mark(self, markdown: str, page: MkDocsPage) -> str:
        """Note a page above the languages' folders. Raises Problem if its front matter is none."""
        path = Path(page.file.abs_src_path or page.file.src_uri)
        lines = self._read[page.file.src_uri].removeprefix("\ufeff").splitlines(keepends=True)
        front = front_matter.read(lines, shown(path))
        self.reading = Marks(Page(shown(path), front, markdown, (markdown,), (), ()))
        return markdown

    def build_projects(self, serve_url: str | None) -> None:
        """Build the project of each language; MkDocs gives it the same plugins."""
        sources = self.sources
        for language, config in languages.projects(self.config, sources.languages, sources.words):
            self.projects.append(Project(Edition(sources, language)))
            build(config, serve_url=serve_url)

    def finish(self) -> None:
        """Write what lies above the languages."""
        site, options = Path(self.config.site_dir), self.sources.options
        self.projects[0].edition.shelve(self.shelf, site)
        self.sources.cards.write(site)
        if self.config.use_directory_urls and options.twins:
            published = [project.published for project in self.projects]
            downloads.write_lists(site, self.config.site_name, published)
