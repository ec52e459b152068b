"""A project of MkDocs in one language: its pages go in as Markdown, and come out with what was printed."""

import logging
from collections.abc import Collection
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage

from weaver.mkdocs import addresses, rendered
from weaver.mkdocs.about import about
from weaver.mkdocs.edition import Edition
from weaver.mkdocs.inline import Inline
from weaver.mkdocs.kept import Kept, digest
from weaver.mkdocs.marks import Marks
from weaver.mkdocs.notices import notice
from weaver.pages.front_matter import Front
from weaver.pages.glossary import link_first_uses, not_meant
from weaver.pages.model import Page
from weaver.problem import Problem
from weaver.render.html import code
from weaver.render.wrap import keep_particles
from weaver.site import downloads, search_index
from weaver.site.content_policy import inert

log = logging.getLogger("mkdocs.plugins.weaver")


class Project:
    """An edition as MkDocs builds it, from its navigation until its files are written."""

    config: MkDocsConfig
    files: Files
    nav: Navigation
    settings: dict[str, Any]  # of all plugins, by their names; the projects share the plugins
    site: str | None  # a digest of what all pages are made with
    inline: Inline
    env: Environment

    def __init__(self, edition: Edition):
        self.edition = edition
        self.marks: dict[str, Marks] = {}  # by the path of the page
        self.reading: Marks | None = None  # of the page that is being read
        self.about: dict[str, dict[str, Any]] = {}
        self.moved: dict[str, str] = {}  # HTML, by the path of the page
        self.entries: dict[str, downloads.Entry] = {}  # by the path of the page
        self.paths: dict[str, str] = {}  # by the address of the page
        self.scripts: dict[str, dict[str, str]] = {}  # what-ifs' files, by the path of the page
        self.keywords: dict[str, list[str]] = {}  # by the address of the page
        self.indexed: dict[str, str | None] = {}  # by the address of a page, what its entries are kept under
        self.unread: dict[str, dict[str, Any]] = {}  # MkDocs' pages before they are read, by their paths
        self.published: downloads.Edition | None = None
        self.told: dict[str, tuple[str, ...]] = {}  # what is said of what can't be shown, by the page's path
        self.broken: dict[str, str] = {}  # what is said of pages that can't be read, by their paths

    @property
    def kept(self) -> Kept:
        """What was made before, and is not made again."""
        return self.edition.sources.kept

    def of(self, edition: Edition) -> "Project":
        """Return this project, with its pages as they were made, of the same edition after an edit.

        `edition` learns where its pages lie. What is noted of pages is copied: an edit that cannot be put in
        leaves what is served as it was.
        """
        now = copy(self)
        vars(now).update((name, copy(value)) for name, value in vars(self).items() if isinstance(value, dict))
        now.edition, edition.urls = edition, self.edition.urls
        return now

    def begin(self, config: MkDocsConfig, files: Files, nav: Navigation) -> None:
        """Note, before the first page is read, what all of them are made with."""
        self.config, self.files, self.nav = config, files, nav
        plugins = {name: one for name, one in config.plugins.items() if isinstance(one, BasePlugin)}
        self.settings = {name: one.config for name, one in plugins.items()}
        self.site = rendered.about_site(config, files)
        self.inline = Inline(files, self.kept)

    def source(self, page: MkDocsPage) -> str | None:
        """Return the text of a page as it was compared and asked for its programs; None of another's page."""
        read = self.edition.pages.get(page.file.src_uri)
        return read and read.front.text + read.body

    def give_up(self, page: MkDocsPage, problem: Problem) -> None:
        """Have a page say, while the site is served, why it can't be made. Raises the problem otherwise."""
        if not self.edition.sources.serving:
            raise problem
        for key in ("template", "icon"):  # which may be what is wrong
            page.meta.pop(key, None)
        path = page.file.src_uri
        self.broken[path], self.marks[path] = str(problem), Marks(self.edition.pages[path])
        title = self.edition.words["problem"]
        page.content, page.toc = notice(title, str(problem), is_block=True), rendered.table(())

    def mark(self, markdown: str, page: MkDocsPage) -> str:
        """Put a mark in the place of each directive; what it stands for is not known yet."""
        self.broken.pop(page.file.src_uri, None)
        rendered.keep_markdown(page, self.kept, self.site, partial(self.give_up, page))
        edition, sources, path = self.edition, self.edition.sources, page.file.src_uri
        # a page that another plugin makes has no file; a directive in it is found when it is HTML
        parsed = edition.pages.setdefault(path, Page(path, Front(), markdown, (markdown,), (), ()))
        if parsed.body.strip("\n") != markdown.strip("\n"):
            raise Problem(
                f"{parsed.path}: another plugin or hook changed the page's text before its directives were "
                "read. Make it run after `weaver`."
            )
        for directive in parsed.directives:
            snippet = sources.content.snippets.get(directive.name)
            if snippet and directive.kind.shows_program and sources.runner.is_busy:
                code(snippet.code, snippet.first_line)  # now, while the snippets run
        self.reading = self.marks[path] = Marks(parsed)
        if (origin := edition.origin(path)) != edition.language and page.edit_url:
            page.edit_url = page.edit_url.replace(f"/{edition.language}/{path}", f"/{origin}/{path}")
        return self.reading.set(edition.unrun(origin))

    def weave(self, env: Environment) -> None:
        """When all pages are HTML, and the snippets have run beside that, put in what they printed."""
        self.env = env
        for file in self.files.documentation_pages():
            if file.page:
                self.weave_page(file.page)
        rendered.keep_pages(env, self.kept, self.site)

    def weave_page(self, page: MkDocsPage) -> None:
        """Put into one page what its programs printed, and note what is said of it."""
        edition, file, path = self.edition, page.file, page.file.src_uri
        page.content = page.content or ""  # None, if the page is empty
        glossary = edition.glossary and self.files.get_file_from_path(edition.glossary)
        address = glossary.url_relative_to(file) if glossary and file != glossary else None
        made_of = edition.made_of(path), page.content, rendered.items(page.toc), page.meta
        make = partial(self._woven, page, address)
        wrong = list((edition.wrong(path) or {}).values())
        try:
            if path in self.broken:
                raise Problem(self.broken[path])
            woven = self.kept(rendered.Woven, make, *made_of, (address, page.url), wrong)
            terms = {edition.glossary: [term.id for term in edition.terms]}
            self.moved[path] = addresses.anchors(page, edition.pages, self.files, terms)
        except Problem as problem:
            self.give_up(page, problem)
            woven, self.moved[path] = rendered.Woven(page.content, (), {}, {}, (str(problem),)), ""
        self.told[path] = woven.told
        page.content, page.toc = woven.content, rendered.table(woven.contents)
        self.marks[path].pictures, self.scripts[path] = woven.pictures, woven.scripts
        self.paths[page.url], self.entries[path] = path, self._entry(page)
        self.about[path] = about(edition, self.entries[path], page, self.config, self.files)
        if self.told[path]:  # of such a page there is no other form
            self.about[path] |= {"notebook": None, "colab": None, "twin": None}
        for key, said in page.meta.items():
            if isinstance(said, str):
                page.meta[key] = self._without_scripts(said, path)
        if "title" in page.meta:  # else the search plugin reads this one
            page.title = keep_particles(page.meta.get("nav_title", page.title))

    def _woven(self, page, address):
        edition, path, marks = self.edition, page.file.src_uri, self.marks[page.file.src_uri]
        marks.check(page.content, edition.is_compared(path))
        marks.weave(page, edition.show_at(page.url, path), edition.wrong(path))
        terms = edition.linked_terms(path)
        but = not_meant(page.meta.get("not_terms", []), terms, edition.pages[path].path)
        if address:
            page.content = link_first_uses(page.content, terms, address, but)
        contents, told = rendered.items(page.toc), tuple(marks.told)
        content = self._without_scripts(page.content, path)
        return rendered.Woven(content, contents, marks.pictures, marks.scripts, told)

    def _without_scripts(self, html, path):
        """Return a page's content without scripts that the policy would forbid, and warn of those."""
        options = self.edition.sources.options
        if not options.policy or options.offline or (safe := inert(html)) == html:
            return html
        log.warning(
            f"{self.edition.pages[path].path}: `policy` forbids inline scripts, so this page's script is "
            "shown as text. Move it to a file, and list that in `extra_javascript`."
        )
        return safe

    def _entry(self, page):
        """Return what lists say of a page."""
        edition, path = self.edition, page.file.src_uri
        said = page.meta.get("title", page.title), page.meta.get("description", "")
        origin = edition.origin(path)
        facts = edition.pages[path], origin, origin != edition.language
        return downloads.Entry(*said, page.url, page.file.dest_uri, *facts)

    def index(self, page: MkDocsPage) -> None:
        """Keep the search plugin from reading a page that it has read before; `complete` lets it again."""
        made_of = page.content, rendered.items(page.toc), page.title, page.meta, page.url
        key = self.indexed[page.url] = digest("entries", self.site, made_of) if self.site else None
        self._meta = page.meta
        if self.kept.find(rendered.Entries, key) is not None:
            page.meta = page.meta | {"search": {"exclude": True}}

    def complete(self, page: MkDocsPage) -> None:
        """Put in, after the search plugin has read the page, what it should not: pictures, joiners."""
        page.meta = self._meta
        self.keywords[page.url] = page.meta.get("keywords", [])
        if page.content:
            path, text = page.file.src_uri, page.content
            marks = self.marks[path]
            whole = self.kept(str, lambda: keep_particles(marks.add_pictures(text)), text, marks.pictures)
            page.content = self.moved[path] + self._borrowed(path, whole)
            rendered.join_titles(page.toc)

    def _borrowed(self, path, content):
        """Return a page's content; below a notice and in its own language, if that is another."""
        origin = self.edition.origin(path)
        if origin == self.edition.language:
            return content
        notice = f'<p class="borrowed" data-search-exclude>{self.edition.notice(path)}</p>'
        return f'{notice}<div lang="{origin}">{content}</div>'

    def publish(self, paths: Collection[str] | None = None) -> None:
        """Write what lies beside the pages; if `paths` are given, beside those alone."""
        for sentence in {one: None for told in self.told.values() for one in told}:
            if sentence and sentence not in self.edition.sources.failures.values():
                log.error(sentence)
        config, edition, options = self.config, self.edition, self.edition.sources.options
        site = Path(config.site_dir)
        self._write_index(site)
        files = {path: entry.file for path, entry in self.entries.items()}
        addresses.redirect(site, options.moved, edition.pages, files.__getitem__, edition.language)
        description, root = config.site_description or "", config.site_url or edition.root
        entries, licence = tuple(self.entries.values()), config.extra.get("license")
        self.published = downloads.Edition(config.site_name, description, root, entries, licence)
        made = {path: one for path, one in self.entries.items() if paths is None or path in paths}
        part = replace(self.published, entries=tuple(made[path] for path in made if not self.told[path]))
        if options.notebooks:
            downloads.write_notebooks(site, part, self._shown, self._keep("notebook"))
        for path, entry in made.items():
            for name, text in self.scripts[path].items():
                Path(site, entry.file).with_name(name).write_text(text, encoding="utf-8")
        if config.use_directory_urls and options.twins:
            downloads.write_twins(site, part, self._shown, self._keep("twin"))

    def _write_index(self, site):
        """Write what the search finds."""
        edition, index = self.edition, site / "search/search_index.json"
        entries = partial(rendered.entries, self.indexed, self.kept)
        search_index.enrich(index, entries, self.keywords, edition.terms, edition.sources.synonyms)
        if edition.sources.options.offline:
            downloads.inline_index(index.parent)
        elif "assets/search.js" in self.config.extra["hashed"]:  # Material's own search knows one file
            search_index.put_apart(index, {name: edition.words[name] for name in ("absent", "same")})

    def _shown(self, entry):
        return self.edition.show_at(entry.url, self.paths[entry.url])

    def _keep(self, what):
        """Return what keeps a text that is made of a page."""

        def keep(entry, make):
            made_of = self.edition.made_of(self.paths[entry.url]), self.published.root, self.published.licence
            return self.kept(str, make, *made_of, entry.url, what)

        return keep
