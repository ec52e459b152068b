"""One language of the site: its pages go in as Markdown, and come out with what the programs printed."""

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage

from weaver.directives.show import Show
from weaver.mkdocs import languages
from weaver.mkdocs.marks import Marks
from weaver.pages import moved
from weaver.pages.front_matter import Front
from weaver.pages.glossary import link_first_uses, listed, not_meant
from weaver.pages.model import Page
from weaver.problem import Problem
from weaver.render.html import code
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
        self.words, self.trace_words = gate.words(language).page, gate.words(language).trace
        self.terms = gate.terms(language)
        self.origins = gate.content.origins(language if gate.languages else "")
        self.pages = {path: gate.content.pages[origin][path] for path, origin in self.origins.items()}
        kinds = {path: {one.kind.name for one in page.directives} for path, page in self.pages.items()}
        self.glossary = next((path for path in kinds if "terms" in kinds[path]), None)
        self.marks: dict[str, Marks] = {}  # by the path of the page
        self.reading: Marks | None = None  # of the page that is being read
        self.about: dict[str, dict[str, Any]] = {}
        self.moved: dict[str, str] = {}  # HTML, by the path of the page
        self.entries: list[downloads.Entry] = []
        self.keywords: dict[str, list[str]] = {}  # by the address of the page
        self.published: downloads.Edition | None = None

    @cache  # noqa: B019 - it lives as long as the build
    def show(self, language: str | None = None) -> Show:
        """Return what directives need once all programs have run, on pages in this or another language."""
        return self._show(self.gate.results(), language)

    def _show(self, results, language=None):
        gate, words = self.gate, self.gate.words(language or self.language).page
        listing = listed(gate.terms(language or self.language), words["see"])
        return Show(gate.content.snippets, results, words, gate.torch, gate.runner.cache.keep, listing)

    def origin(self, path: str) -> str:
        """Return the language that the page at a path is in: another's while this one lacks it."""
        return self.origins.get(path) or self.language

    def borrow(self, files: Files, config: MkDocsConfig) -> None:
        """Add the pages that are not there in this language yet."""
        if self.gate.languages:
            languages.borrow(files, config, self.origins, self.language)

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
        if (origin := self.origin(path)) != self.language and page.edit_url:
            page.edit_url = page.edit_url.replace(f"/{self.language}/{path}", f"/{origin}/{path}")
        return self.reading.set(self._show({}, self.origin(path)))

    def weave(self, files: Files, config: MkDocsConfig) -> None:
        """When all pages are HTML, and the snippets have run beside that, put in what they printed."""
        glossary = self.glossary and files.get_file_from_path(self.glossary)
        for file in files.documentation_pages():
            if file.page:
                file.page.content = file.page.content or ""  # None, if the page is empty
                self.marks[file.src_uri].check(file.page.content, self._is_compared(file.src_uri))
                show = self.show(self.origin(file.src_uri)).at(f"{self._up(file.page.url)}snippets")
                self.marks[file.src_uri].weave(file.page, show)
                if glossary and file != glossary:
                    self._link_terms(file, glossary)
                self._describe(file.page, config)
                self.moved[file.src_uri] = self._moved(file.page, files)
                if "title" in file.page.meta:  # else the search plugin reads this one
                    file.page.title = keep_particles(file.page.title)

    def _link_terms(self, file, glossary):
        """Link the page's terms to the glossary, if it has them."""
        listed = {term.id for term in self.gate.terms(self.origin(self.glossary))}
        terms = [term for term in self.gate.terms(self.origin(file.src_uri)) if term.id in listed]
        words = file.page.meta.get("not_terms", [])
        but = not_meant(words, terms, self.pages[file.src_uri].path)
        address = glossary.url_relative_to(file)
        file.page.content = link_first_uses(file.page.content, terms, address, but)

    def _is_compared(self, path):
        """Whether what the page says is compared with what another language's says."""
        return sum(path in pages for pages in self.gate.content.pages.values()) > 1

    def complete(self, page: MkDocsPage) -> None:
        """Put in, after the search plugin has read the page, what it should not: pictures, joiners."""
        self.keywords[page.url] = page.meta.get("keywords", [])
        if page.content:
            path = page.file.src_uri
            content = self.marks[path].add_pictures(page.content)
            page.content = self.moved[path] + self._borrowed(path, keep_particles(content))
            _join_titles(page.toc)

    def _borrowed(self, path, content):
        """Return a page's content; below a notice and in its own language, if that is another."""
        origin = self.origin(path)
        if origin == self.language:
            return content
        notice = f'<p class="borrowed" data-search-exclude>{self.notice(path)}</p>'
        return f'{notice}<div lang="{origin}">{content}</div>'

    def notice(self, path: str) -> str:
        """Return what stands above a page that is in another language."""
        return self.words["borrowed"].format(language=self.gate.languages[self.origin(path)]["name"])

    def _moved(self, page, files):
        """Return the anchors of what the page no longer has: see `pages.moved`."""
        if "moved" not in page.meta:
            return ""
        ids = {name: [heading.id for heading in one.headings] for name, one in self.pages.items()}
        ids.get(self.glossary, []).extend(term.id for term in self.terms)

        def address(name):
            return files.get_file_from_path(name).url_relative_to(page.file)

        return moved.anchors(page.meta["moved"], self.pages[page.file.src_uri], ids, address)

    def _describe(self, page, config):
        """Note what is said about a page beside its text: see `page_facts`."""
        gate = self.gate
        title, description = page.meta.get("title", page.title), page.meta.get("description", "")
        path = page.file.src_uri
        parsed = self.pages[path]
        origin = self.origin(path)
        is_borrowed = origin != self.language
        entry = downloads.Entry(title, description, page.url, page.file.dest_uri, parsed, origin, is_borrowed)
        self.entries.append(entry)
        asked = {name for directive in parsed.directives for name, _ in directive.asks}
        used = {snippet.path for name, snippet in gate.content.snippets.items() if name in asked}
        own = [Path(page.file.abs_src_path)] if page.file.abs_src_path else []
        changed = gate.history.last_change([*own, *used])
        root = config.extra.get("root") or config.site_url or ""
        owners = [one for one in gate.languages if path in gate.content.pages[one]] or [origin]
        others = page_facts.alternates(root, owners, page.url)
        if is_borrowed:
            page.canonical_url = config.site_url and dict(others)[origin]
        self.about[path] = {
            "alternates": others if gate.languages else [],
            "borrowed": is_borrowed,
            "changed": changed,
            "commit": gate.history.commit,
            "linked_data": page_facts.linked_data(
                title,
                description,
                page.canonical_url,
                origin,
                page.meta.get("keywords", []),
                changed,
                others[:-1],
                (config.site_name, config.site_url),
            ),
            "locale": self.words["locale"],
            "notebook": entry.notebook if gate.options.notebooks else None,
            "colab": self._colab(entry, config.repo_url) if gate.options.notebooks else None,
            "torch": gate.torch,
            "twin": "index.md" if config.use_directory_urls and gate.options.twins else None,
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
        entries, licence = tuple(self.entries), config.extra.get("license")
        self.published = downloads.Edition(config.site_name, description, root, entries, licence)
        if self.gate.options.notebooks:
            downloads.write_notebooks(site, self.published, self.show)
        if config.use_directory_urls and self.gate.options.twins:
            downloads.write_twins(site, self.published, self.show, self._up)

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
