"""One build of the whole site: what was read, the pages above the languages, and a project per language."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page as MkDocsPage

from weaver.execution.cache import Cache
from weaver.mkdocs import ahead, languages
from weaver.mkdocs.ahead import Ahead
from weaver.mkdocs.built_project import BuiltProject, Served
from weaver.mkdocs.placeholders import Placeholders
from weaver.mkdocs.read_project import ReadProject
from weaver.mkdocs.read_site import ReadSite
from weaver.pages import front_matter
from weaver.pages.model import Page
from weaver.problem import shown
from weaver.site import downloads, staging
from weaver.site.staging import Staging, Write


@dataclass
class WholeBuild:
    """A build. MkDocs builds the project of `mkdocs.yml`, and within that, by `build_languages`, the others.

    `reading` is the project whose turn it is: None for the pages above the languages, which are built first.
    The same plugins serve them all. `pages` is where what is made of pages is kept, `before` what is served
    in each language.
    """

    config: MkDocsConfig
    site: ReadSite
    pages: Cache
    staging: Staging | None
    before: Mapping[str, Served]
    reading: ReadProject | None = None
    is_backwards: bool = False
    projects: list[BuiltProject] = field(default_factory=list)
    published: list[downloads.Edition] = field(default_factory=list)
    _above: Placeholders | None = None  # the page above the languages that is being read
    _ahead: Ahead | None = None  # what makes the other languages' pages meanwhile

    def __post_init__(self) -> None:
        if self.site.languages:
            self.config.nav = None  # it leaves the outer project only the pages above the languages' folders
            self.config.extra |= languages.root(self.config, self.site.languages, self.site.words)
        else:
            self.reading = ReadProject(self.site, languages.of(self.config))

    @property
    def project(self) -> BuiltProject | None:
        """The project whose turn it is, from its navigation on."""
        return self.projects[-1] if self.projects else None

    def begin(self, config: MkDocsConfig, files: Files) -> None:
        """Begin with the pages of a project, if it's a language's."""
        if read := self.reading:
            before = self.before.get(read.language, Served())
            again = self.staging.again if self.staging else lambda path: False
            self.projects.append(BuiltProject(read, config, files, self.pages, before, again))

    def build_languages(self, serve_url: str | None) -> None:
        """Build the project of each language; pages that are there again as they were, MkDocs leaves."""
        try:
            for language, config in self._projects():
                if self.projects and self._ahead:
                    self._write_programs()
                    self._ahead.wait()
                self.reading = ReadProject(self.site, language)
                build(config, serve_url=serve_url, dirty=bool(self.before))
        finally:
            if self._ahead:
                self._ahead.end()

    def _projects(self) -> Iterator[tuple[str, MkDocsConfig]]:
        return languages.projects(self.config, self.site.languages, self.site.words)

    def weave(self) -> None:
        """Put what the programs printed in the pages of the project whose turn it is."""
        if not self.project:
            return
        if len(self.projects) == 1 and self._is_worth_a_fork():
            self._ahead = Ahead(self._work_ahead)
        self.project.weave(self.is_backwards)

    def _is_worth_a_fork(self) -> bool:
        """Tell whether there are more languages, and most of their pages aren't in the cache."""
        site = self.site
        if len(site.languages) < 2 or not self.staging or site.serving or not ahead.is_possible():
            return False
        return bool(site.results) and site.runner.ran > site.runner.reused

    def _work_ahead(self) -> None:
        """In a fork: make the pages of the languages after the first.

        It begins with the last pages: what they have in common with the first language's, such as pictures,
        is drawn in one of the two processes.
        """
        for language, config in list(self._projects())[1:]:
            # before a plugin removes what's half built: that isn't ours
            config.plugins.events["build_error"].insert(0, lambda error: ahead.leave(1))
            self.reading, self.is_backwards = ReadProject(self.site, language), True
            build(config)

    def mark(self, markdown: str, page: MkDocsPage) -> str:
        """Return the Markdown of a page with marks. Raises Problem if its front matter is none."""
        if self.project:
            return self.project.mark(markdown, page)
        path = Path(page.file.abs_src_path or page.file.src_uri)
        lines = page.file.content_string.removeprefix("\ufeff").splitlines(keepends=True)
        front = front_matter.read(lines, shown(path))
        self._above = Placeholders(Page(shown(path), front, markdown, (markdown,), (), ()))
        return markdown

    def check(self, html: str) -> None:
        """Raise Problem if there's a directive on a page above the languages."""
        if not self.project and self._above:
            self._above.check(html, is_compared=False)

    def locate(self, text: str) -> tuple[str, str]:
        """Return where a text is on the page that is being read, and how it's written there."""
        marks = self.project.marks if self.project else self._above
        return marks.locate(text) if marks else ("a formula", text)

    @property
    def write(self) -> Write:
        """What writes a file of the whole site."""
        return self.staging.write if self.staging else partial(staging.write, Path(self.config.site_dir))

    def finish(self) -> None:
        """Write what all languages have in common: programs, pictures, lists."""
        folder, options = Path(self.config.site_dir), self.site.options
        if not self._ahead:  # otherwise done already, while waiting for the fork
            self._write_programs()
        for path, data in self.site.cards.items():
            self.write(path, path, partial(bytes, data))
        if self.config.use_directory_urls and options.twins:
            downloads.write_lists(folder, self.config.site_name, self.published)

    def _write_programs(self) -> None:
        first = self.projects[0]
        downloads.write_programs(self.write, first.shows.whole(first.read.language))
