"""One language of the site: its pages go in as Markdown, and come out with what the programs printed."""

from collections.abc import Collection
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage

from weaver.directives.show import Show
from weaver.mkdocs import addresses, languages, rendered
from weaver.mkdocs.about import about
from weaver.mkdocs.inline import Inline
from weaver.mkdocs.kept import digest
from weaver.mkdocs.marks import Marks
from weaver.mkdocs.remembered import remembered
from weaver.pages.front_matter import Front
from weaver.pages.glossary import link_first_uses, listed, not_meant
from weaver.pages.model import Page
from weaver.pages.way import Way
from weaver.problem import Problem
from weaver.render.html import code
from weaver.render.wrap import keep_particles
from weaver.site import downloads, search_index

if TYPE_CHECKING:
    from weaver.mkdocs.gate import Gate


@dataclass
class Project:
    """A project of MkDocs as it was built; `options` are those of its plugins, which all projects share."""

    config: MkDocsConfig
    files: Files
    nav: Navigation
    options: dict[str, Any]
    env: Environment | None = None


# What an edition knows of its pages when it is built
CARRIED = (
    *("about", "entries", "indexed", "inline", "keywords", "marks", "moved", "paths", "project", "published"),
    *("scripts", "site", "unread", "urls"),
)


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
        self.way = Way(self.pages, gate.nav)
        addresses.check(gate.options.moved, self.pages)
        self.marks: dict[str, Marks] = {}  # by the path of the page
        self.reading: Marks | None = None  # of the page that is being read
        self.about: dict[str, dict[str, Any]] = {}
        self.moved: dict[str, str] = {}  # HTML, by the path of the page
        self.entries: dict[str, downloads.Entry] = {}  # by the path of the page
        self.paths: dict[str, str] = {}  # by the address of the page
        self.scripts: dict[str, dict[str, str]] = {}  # what-ifs' files, by the path of the page
        self.keywords: dict[str, list[str]] = {}  # by the address of the page
        self.published: downloads.Edition | None = None
        self.site: str | None = None  # a digest of what all pages are made with
        self.indexed: dict[str, str | None] = {}  # by the address of a page, what its entries are kept under
        self.project: Project | None = None
        self.unread: dict[str, dict[str, Any]] = {}  # MkDocs' pages before they are read, by their paths

    @remembered
    def show(self, language: str | None = None) -> Show:
        """Return what directives need once all programs have run, on pages in this or another language."""
        return self._show(self.gate.results(), language)

    def _show(self, results, language=None):
        gate, words = self.gate, self.gate.words(language or self.language).page
        listing = listed(gate.terms(language or self.language))
        about = gate.torch, gate.runner.cache.keep, listing, self.way.listed()
        return Show(gate.content.snippets, results, words, *about, built=gate.built)

    def origin(self, path: str) -> str:
        """Return the language that the page at a path is in: another's while this one lacks it."""
        return self.origins.get(path) or self.language

    def borrow(self, files: Files, config: MkDocsConfig) -> None:
        """Add the pages that are not there in this language yet."""
        if self.gate.languages:
            languages.borrow(files, config, self.origins, self.language)
        self.urls = {file.src_uri: file.url for file in files.documentation_pages()}

    def name_sections(self, nav: Navigation) -> None:
        """Give the sections of the navigation their titles in this language."""
        languages.name_sections(nav, self.sections)

    @property
    def sections(self) -> dict[str, str]:
        """The titles of the sections in this language."""
        return self.gate.languages.get(self.language, {}).get("sections", {})

    def begin(self, config: MkDocsConfig, files: Files, nav: Navigation) -> None:
        """Note, before the first page is read, what all of them are made with."""
        plugins = {name: one for name, one in config.plugins.items() if isinstance(one, BasePlugin)}
        self.project = Project(config, files, nav, {name: one.config for name, one in plugins.items()})
        self.site = rendered.about_site(config, files)
        self.inline = Inline(files, self.gate.kept)

    def stand_on(self, before: "Edition") -> None:
        """Begin where the same edition of the build before has ended: with all its pages made."""
        for name in CARRIED:
            setattr(self, name, copy(getattr(before, name)))

    def mark(self, markdown: str, page: MkDocsPage) -> str:
        """Put a mark in the place of each directive; what it stands for is not known yet."""
        rendered.keep_markdown(page, self.gate.kept, self.site)
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
            if snippet and directive.kind.shows_program and self.gate.runner.is_busy:
                code(snippet.code, snippet.first_line)  # now, while the snippets run
        self.reading = self.marks[path] = Marks(parsed)
        if (origin := self.origin(path)) != self.language and page.edit_url:
            page.edit_url = page.edit_url.replace(f"/{self.language}/{path}", f"/{origin}/{path}")
        return self.reading.set(self._show({}, self.origin(path)))

    def weave(self, env: Environment, files: Files, config: MkDocsConfig) -> None:
        """When all pages are HTML, and the snippets have run beside that, put in what they printed."""
        self.project.env = env
        for file in files.documentation_pages():
            if file.page:
                self.weave_page(file.page, files, config)
        rendered.keep_pages(env, self.gate.kept, self.site)

    def weave_page(self, page: MkDocsPage, files: Files, config: MkDocsConfig) -> None:
        """Put into one page what its programs printed, and note what is said of it."""
        file, path = page.file, page.file.src_uri
        page.content = page.content or ""  # None, if the page is empty
        glossary = self.glossary and files.get_file_from_path(self.glossary)
        address = glossary.url_relative_to(file) if glossary and file != glossary else None
        made_of = self.made_of(path), page.content, rendered.items(page.toc), page.meta
        make = partial(self._woven, page, address)
        woven = self.gate.kept(rendered.Woven, make, *made_of, (address, page.url))
        page.content, page.toc = woven.content, rendered.table(woven.contents)
        self.marks[path].pictures, self.scripts[path] = woven.pictures, woven.scripts
        self._describe(page, config, files)
        terms = {self.glossary: [term.id for term in self.terms]}
        self.moved[path] = addresses.anchors(page, self.pages, files, terms)
        if "title" in page.meta:  # else the search plugin reads this one
            page.title = keep_particles(page.meta.get("nav_title", page.title))

    def _woven(self, page, address):
        path, marks = page.file.src_uri, self.marks[page.file.src_uri]
        marks.check(page.content, self._is_compared(path))
        marks.weave(page, self.show_of(path).at(f"{self._up(page.url)}snippets"))
        terms = self._linked_terms(path)
        but = not_meant(page.meta.get("not_terms", []), terms, self.pages[path].path)
        if address:
            page.content = link_first_uses(page.content, terms, address, but)
        return rendered.Woven(page.content, rendered.items(page.toc), marks.pictures, marks.scripts)

    def _linked_terms(self, path):
        """Return the glossary's terms in the page's language, if the glossary has them."""
        listed = {term.id for term in self.gate.terms(self.origin(self.glossary))} if self.glossary else ()
        return [term for term in self.gate.terms(self.origin(path)) if term.id in listed]

    @remembered
    def show_of(self, path: str) -> Show:
        """Return what the directives of a page need, and no more: nothing else can change it unnoticed."""
        show = self.show(self.origin(path))
        content, page = self.gate.content, self.pages[path]
        asked = {name for directive in page.directives for name, _ in content.asked(directive)}
        asked |= {cell.name for cell in page.cells}
        questions = addresses.asked(self.way, path, self.urls)
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

    @remembered
    def made_of(self, path: str) -> str | None:
        """Return a digest of a page's text, of what came of its programs, and of how all that is shown."""
        page, show = self.pages[path], replace(self.show_of(path), keep=None)
        terms = self._linked_terms(path)
        return digest(page.path, page.front.text, page.body, show, terms, self._is_compared(path))

    def _is_compared(self, path):
        """Whether what the page says is compared with what another language's says."""
        return sum(path in pages for pages in self.gate.content.pages.values()) > 1

    def index(self, page: MkDocsPage) -> None:
        """Keep the search plugin from reading a page that it has read before; `complete` lets it again."""
        made_of = page.content, rendered.items(page.toc), page.title, page.meta, page.url
        key = self.indexed[page.url] = digest("entries", self.site, made_of) if self.site else None
        self._meta = page.meta
        if self.gate.kept.find(rendered.Entries, key) is not None:
            page.meta = page.meta | {"search": {"exclude": True}}

    def complete(self, page: MkDocsPage) -> None:
        """Put in, after the search plugin has read the page, what it should not: pictures, joiners."""
        page.meta = self._meta
        self.keywords[page.url] = page.meta.get("keywords", [])
        if page.content:
            path, text = page.file.src_uri, page.content
            marks, kept = self.marks[path], self.gate.kept
            whole = kept(str, lambda: keep_particles(marks.add_pictures(text)), text, marks.pictures)
            page.content = self.moved[path] + self._borrowed(path, whole)
            rendered.join_titles(page.toc)

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

    def _describe(self, page, config, files):
        """Note what is said about a page beside its text."""
        path = page.file.src_uri
        title, description = page.meta.get("title", page.title), page.meta.get("description", "")
        origin = self.origin(path)
        place, facts = (page.url, page.file.dest_uri), (self.pages[path], origin, origin != self.language)
        self.entries[path] = downloads.Entry(title, description, *place, *facts)
        self.paths[page.url] = path
        self.about[path] = about(self, page, config, files)

    def publish(self, config: MkDocsConfig, paths: Collection[str] | None = None) -> None:
        """Write what lies beside the pages; if `paths` are given, beside those alone."""
        site = Path(config.site_dir)
        index = Path(site, "search/search_index.json")
        entries = partial(rendered.entries, self.indexed, self.gate.kept)
        search_index.enrich(index, entries, self.keywords, self.terms, self.gate.synonyms)
        if self.gate.options.offline:
            downloads.inline_index(Path(site, "search"))
        elif "assets/search.js" in config.extra["hashed"]:  # Material's own search knows one file
            search_index.put_apart(index, {name: self.words[name] for name in ("absent", "same")})
        files = {path: entry.file for path, entry in self.entries.items()}
        addresses.redirect(site, self.gate.options.moved, self.pages, files.__getitem__, self.language)
        description, root = config.site_description or "", config.site_url or self._root
        entries, licence = tuple(self.entries.values()), config.extra.get("license")
        self.published = downloads.Edition(config.site_name, description, root, entries, licence)
        made = {path: one for path, one in self.entries.items() if paths is None or path in paths}
        part = replace(self.published, entries=tuple(made.values()))
        if self.gate.options.notebooks:
            downloads.write_notebooks(site, part, self._shown, self._keep("notebook"))
        for path, entry in made.items():
            for name, text in self.scripts[path].items():
                Path(site, entry.file).with_name(name).write_text(text, encoding="utf-8")
        if config.use_directory_urls and self.gate.options.twins:
            downloads.write_twins(site, part, self._shown, self._keep("twin"))

    def _shown(self, entry):
        return self.show_of(self.paths[entry.url]).at(f"{self._up(entry.url)}snippets")

    def _keep(self, what):
        """Return what keeps a text that is made of a page."""

        def keep(entry, make):
            made_of = self.made_of(self.paths[entry.url]), self.published.root, self.published.licence
            return self.gate.kept(str, make, *made_of, entry.url, what)

        return keep

    @property
    def _root(self):
        """The way to the edition from what lies above it, where the site's address is not known."""
        return f"{self.language}/" if self.gate.languages else ""

    def _up(self, url):
        """Return the way from the page at `url` to the folder that the whole site is in."""
        return "../" * (url.count("/") + bool(self.gate.languages))
