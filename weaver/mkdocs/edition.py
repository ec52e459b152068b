"""One language of the site: its pages go in as Markdown, and come out with what the programs printed."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage

from weaver.directives.show import Show
from weaver.mkdocs import languages
from weaver.mkdocs.flips import Flips
from weaver.mkdocs.marks import Marks
from weaver.pages import moved
from weaver.pages.front_matter import Front
from weaver.pages.glossary import link_first_uses, listed, not_meant
from weaver.pages.model import Page
from weaver.problem import Problem
from weaver.render.html import code
from weaver.render.words import words
from weaver.render.wrap import keep_particles
from weaver.site import downloads, page_facts, search_index

if TYPE_CHECKING:
    from weaver.mkdocs.gate import Gate

GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)/?")
COLAB = "https://colab.research.google.com/github"


class Edition:
    """A project of MkDocs in one language, from its navigation until its files are written."""

    def __init__(self, gate: "Gate", language: str):
        self.gate, self.language = gate, language
        self.words = words(language)
        self.terms = gate.terms(language)
        self.pages = dict(gate.content.pages[language if gate.languages else ""])
        self.marks: dict[str, Marks] = {}  # by the path of the page
        self.reading: Marks | None = None  # of the page that is being read
        self.about: dict[str, dict[str, Any]] = {}
        self.moved: dict[str, str] = {}  # HTML, by the path of the page
        self.entries: list[downloads.Entry] = []
        self.flips: dict[str, list[Flips]] = {}  # by the file of the page
        self.keywords: dict[str, list[str]] = {}  # by the address of the page
        self.published: downloads.Edition | None = None

    def show(self) -> Show:
        """Return what directives need once all programs have run."""
        return self._show(self.gate.results())

    def _show(self, results):
        gate, listing = self.gate, listed(self.terms, self.words["see"])
        return Show(gate.content.snippets, results, self.words, gate.torch, gate.runner.cache.keep, listing)

    def name_sections(self, nav: Navigation) -> None:
        """Give the sections of the navigation their titles in this language."""
        settings = self.gate.languages.get(self.language, {})
        languages.name_sections(nav, settings.get("sections", {}))

    def mark(self, markdown: str, page: MkDocsPage) -> str:
        """Put a mark in the place of each directive; what it stands for is not known yet."""
        path = page.file.src_uri
        # a page that another plugin makes has no file; a directive in it is found when it is HTML
        parsed = self.pages.setdefault(path, Page(path, Front(), markdown, (markdown,), (), ()))
        if parsed.body.strip("\n") != markdown.strip("\n"):
            raise Problem(
                f"{parsed.path}: another plugin or hook changed the page's text before its directives were "
                "read. Let it change the text afterwards."
            )
        for directive in parsed.directives:
            snippet = self.gate.content.snippets.get(directive.name)
            if snippet and directive.kind.shows_program:
                code(snippet.code, snippet.first_line)  # now, while the snippets run
        self.reading = self.marks[path] = Marks(parsed)
        return self.reading.set(self._show({}))

    def weave(self, files: Files, config: MkDocsConfig) -> None:
        """When all pages are HTML, and the snippets have run beside that, put in what they printed."""
        show = self.show()
        glossary = files.get_file_from_path("glossary.md")
        for file in files.documentation_pages():
            if file.page:
                file.page.content = file.page.content or ""  # None, if the page is empty
                self.marks[file.src_uri].check(file.page.content, self._is_compared(file.src_uri))
                self.marks[file.src_uri].weave(file.page, show.at(f"{self._up(file.page.url)}snippets"))
                if glossary and file != glossary:
                    address = glossary.url_relative_to(file)
                    words = file.page.meta.get("not_terms", [])
                    but = not_meant(words, self.terms, self.pages[file.src_uri].path)
                    file.page.content = link_first_uses(file.page.content, self.terms, address, but)
                self._describe(file.page, config)
                self.moved[file.src_uri] = self._moved(file.page, files)
                if "title" in file.page.meta:  # else the search plugin reads this one
                    file.page.title = keep_particles(file.page.title)

    def _is_compared(self, path):
        """Whether what the page says is compared with what another language's says."""
        return sum(path in pages for pages in self.gate.content.pages.values()) > 1

    def complete(self, page: MkDocsPage) -> None:
        """Put in, after the search plugin has read the page, what it should not: pictures, joiners."""
        self.keywords[page.url] = page.meta.get("keywords", [])
        if page.content:
            path = page.file.src_uri
            content = self.marks[path].add_pictures(page.content)
            page.content = self.moved[path] + keep_particles(content)
            _join_titles(page.toc)

    def _moved(self, page, files):
        """Return the anchors of what the page no longer has: see `pages.moved`."""
        if "moved" not in page.meta:
            return ""
        ids = {name: [heading.id for heading in one.headings] for name, one in self.pages.items()}
        ids.get("glossary.md", []).extend(term.id for term in self.terms)

        def address(name):
            return files.get_file_from_path(name).url_relative_to(page.file)

        return moved.anchors(page.meta["moved"], self.pages[page.file.src_uri], ids, address)

    def _describe(self, page, config):
        """Note what is said about a page beside its text: see `page_facts`."""
        gate = self.gate
        title, description = page.meta.get("title", page.title), page.meta.get("description", "")
        parsed = self.pages[page.file.src_uri]
        entry = downloads.Entry(title, description, page.url, page.file.dest_uri, parsed)
        self.entries.append(entry)
        self.flips[entry.file] = list(self.marks[page.file.src_uri].flips.values())
        asked = {name for directive in parsed.directives for name, _ in directive.asks}
        used = {snippet.path for name, snippet in gate.content.snippets.items() if name in asked}
        own = [Path(page.file.abs_src_path)] if page.file.abs_src_path else []
        changed = gate.history.last_change([*own, *used])
        root = config.extra.get("root") or config.site_url or ""
        others = page_facts.alternates(root, gate.languages or {self.language: {}}, page.url)
        card = config.extra["hashed"].get("assets/card.png")
        self.about[page.file.src_uri] = {
            "alternates": others if gate.languages else [],
            "card": card and config.site_url and f"{config.site_url}{card}",
            "changed": changed,
            "commit": gate.history.commit,
            "linked_data": page_facts.linked_data(
                title,
                description,
                page.canonical_url,
                self.language,
                page.meta.get("keywords", []),
                changed,
                others[:-1],
                (config.site_name, config.site_url),
            ),
            "locale": self.words["locale"],
            "notebook": entry.notebook,
            "colab": self._colab(entry, config.repo_url),
            "torch": gate.torch,
            "twin": "index.md" if config.use_directory_urls else None,
            "words": self.words,
        }

    def _colab(self, entry, repository):
        """Return the address at which Colab opens a page's notebook: it finds those on GitHub's branches."""
        name, branch = GITHUB.fullmatch(repository or ""), self.gate.options.colab
        if name and branch:
            language = [self.language] if self.gate.languages else []
            return "/".join((COLAB, name[1], "blob", branch, *language, entry.notebook_path))
        return None

    def publish(self, config: MkDocsConfig) -> None:
        """Write what lies beside the pages."""
        site = Path(config.site_dir)
        index = Path(site, "search/search_index.json")
        search_index.enrich(index, self.keywords, self.terms, self.gate.synonyms)
        if self.gate.options.offline:
            downloads.inline_index(Path(site, "search"))
        description, root = config.site_description or "", config.site_url or self._root
        self.published = downloads.Edition(config.site_name, description, root, tuple(self.entries))
        show = self.show()
        downloads.write_notebooks(site, self.published, show)
        for entry in self.entries:
            for flips in self.flips[entry.file]:
                path = Path(site, entry.file).with_name(flips.file(entry.page))
                path.write_text(flips.text, encoding="utf-8")
        if config.use_directory_urls:
            downloads.write_twins(site, self.published, show, self._up)

    @property
    def _root(self):
        """The way to the edition from what lies above it, where the site's address is not known."""
        return f"{self.language}/" if self.gate.languages else ""

    def _up(self, url):
        """Return the way from the page at `url` to the folder that the whole site is in."""
        return "../" * (url.count("/") + bool(self.gate.languages))


def _join_titles(items):
    for item in items:
        item.title = keep_particles(item.title)
        _join_titles(item.children)
