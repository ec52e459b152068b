"""A project of MkDocs in one language: its pages go in as Markdown, and come out with what was printed."""

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as MkDocsPage

from weaver.execution.cache import Cache
from weaver.execution.contract import RUNNING
from weaver.mkdocs import addresses, page_cache, private
from weaver.mkdocs.inline_styles import InlineStyles
from weaver.mkdocs.notices import notice
from weaver.mkdocs.page_cache import PageCache, Rendered, SearchEntries, Woven, contents, listening, table
from weaver.mkdocs.page_context import about, check_theme
from weaver.mkdocs.page_state import PageState, Served, made_with
from weaver.mkdocs.placeholders import Placeholders
from weaver.mkdocs.read_project import ReadProject
from weaver.mkdocs.shows import Shows
from weaver.pages import moved
from weaver.pages.front_matter import Front
from weaver.pages.glossary import link_first_uses, not_meant
from weaver.pages.model import Page
from weaver.problem import Problem
from weaver.render.wrap import keep_particles
from weaver.site import downloads
from weaver.site.content_policy import inert

log = logging.getLogger("mkdocs.plugins.weaver")
EMPTY = Rendered("", (), None, (), {})


class BuiltProject:
    """What was read of a language, as MkDocs builds it, from its navigation until its files are written.

    While the site is served, a page that can't be made is what it was `before`, or says why it can't, and one
    of which nothing changed is left as it is: `again` puts a file there as it was, and tells if it could.
    """

    def __init__(
        self,
        read: ReadProject,
        config: MkDocsConfig,
        files: Files,
        cache: Cache,
        before: Served,
        again: Callable[[str], bool],
    ) -> None:
        self.read, self.config, self.files, self.before, self.again = read, config, files, before, again
        self.cache = PageCache(cache, config, files)
        self.shows = Shows(read, {file.src_uri: file.url for file in files if file.is_documentation_page()})
        self.inline, self.search = InlineStyles(files, self.cache), SearchEntries(self.cache)
        self.marks: Placeholders | None = None  # of the page that is being read
        self.placeholders: dict[str, Placeholders] = {}  # by the path of the page, as all below
        self.rendered: dict[str, Rendered] = {}
        self.broken: dict[str, str] = {}  # why pages can't be made
        self.pages: dict[str, PageState] = {}
        # rebuilt each time: borrowed pages, and those with warnings
        self.unsteady = {path for path in read.pages if read.origin(path) != read.language}
        # without languages MkDocs writes each page, and must not write into one that's served
        leaves = read.site.serving and read.site.languages
        self.made_with = made_with(read, config, self.shows, self.cache.site) if leaves else None
        if before.made_with and before.made_with == self.made_with:
            for file in files.documentation_pages():
                self._leave(file)

    def served(self) -> Served:
        """Return what the next build can take over."""
        steady = self.pages.keys() - self.unsteady - self.broken.keys()
        return Served(self.made_with, self.pages, steady, self.search.of)

    def _leave(self, file: File) -> None:
        """Put a page's file there as it was, if nothing of it changed: then MkDocs leaves the page."""
        path = file.src_uri
        state = self.before.pages.get(path)
        if not state:
            return
        is_same = path in self.before.steady and state.made_of == self.shows.made_of(path)
        if not (is_same or self._still_runs(path, state)):
            return
        with suppress(Problem):  # told when the page is made
            was_put = state.anchors == self._anchors(file) and self.again(self.read.root + file.dest_uri)
            if was_put and file.is_modified():  # its source was written again since, the same
                Path(file.abs_dest_path).unlink()

    def _still_runs(self, path: str, state: PageState) -> bool:
        """Tell whether a page still lacks what a program prints. It's made once all of that is there."""
        is_same = RUNNING in state.woven.told and state.entry.page == self.read.pages[path]
        return is_same and RUNNING in (self.shows.wrong(path) or {}).values()

    def source(self, page: MkDocsPage) -> str | None:
        """Return the text of a page as it was compared and asked for its programs; None of another's page."""
        read = self.read.pages.get(page.file.src_uri)
        return read.front.text + read.body if read else None

    def mark(self, markdown: str, page: MkDocsPage) -> str:
        """Return a page's Markdown with a mark in the place of each directive; its result isn't known yet."""
        private.convert_by(page, lambda convert, files: self._convert(page, convert, files))
        try:
            return self._marked(markdown, page)
        except Problem as problem:
            self._give_up(page, problem)
            return ""

    def _marked(self, markdown: str, page: MkDocsPage) -> str:
        read, path = self.read, page.file.src_uri
        # a page that another plugin makes has no file; a directive in it is found when it is HTML
        parsed = read.pages.setdefault(path, Page(path, Front(), markdown, (markdown,), (), ()))
        if parsed.body.strip("\n") != markdown.strip("\n"):
            raise Problem(
                f"{parsed.path}: another plugin or hook changed the page's text before its directives were "
                "read. Make it run after `weaver`."
            )
        self.marks = self.placeholders[path] = Placeholders(parsed)
        if (origin := read.origin(path)) != read.language and page.edit_url:
            page.edit_url = page.edit_url.replace(f"/{read.language}/{path}", f"/{origin}/{path}")
        marked = self.marks.set(self.shows.show(origin, {}))
        check_theme(parsed, page.meta, self.config.theme)
        return marked

    def _give_up(self, page: MkDocsPage, problem: Problem) -> None:
        """Note why a page can't be made. Raises the problem unless the site is served."""
        if not self.read.site.serving:
            raise problem
        self.broken[page.file.src_uri] = str(problem)
        for key in ("template", "icon"):  # which may be what is wrong
            page.meta.pop(key, None)

    def _convert(self, page: MkDocsPage, convert: Callable[[], None], files: Files) -> None:
        """Turn a page's Markdown into HTML, or find what that was before."""
        path, text = page.file.src_uri, page.markdown or ""

        def make() -> Rendered:
            convert()
            links = {file.src_uri: found for file, found in (page.links_to_anchors or {}).items()}
            anchors = tuple(sorted(page.present_anchor_ids or ()))
            return Rendered(page.content or "", contents(page.toc), page.title, anchors, links)

        try:
            if path not in self.broken:
                known = None if self.cache.reads_files(text) else (path, text)
                with listening() as told:
                    self.rendered[path] = self.cache.keep("markdown", Rendered, make, known)
                if told or not known:
                    self.unsteady.add(path)
        except Problem as problem:
            self._give_up(page, problem)
        if path in self.broken:
            before = self.before.pages.get(path)
            self.rendered[path] = before.rendered if before else EMPTY
        self._give(page, self.rendered[path])

    def _give(self, page: MkDocsPage, made: Rendered) -> None:
        """Give MkDocs' page what was made of its Markdown."""
        page.content, page.toc = made.content, table(made.contents)
        page.title, page.present_anchor_ids = made.title, set(made.anchors)
        linked = {self.files.get_file_from_path(name): links for name, links in made.links.items()}
        page.links_to_anchors = {file: links for file, links in linked.items() if file}

    def weave(self, is_backwards: bool = False) -> None:
        """When all pages are HTML, and the snippets have run beside that, put in what they printed."""
        for file in list(self.files.documentation_pages())[:: -1 if is_backwards else 1]:
            if page := file.page:
                state = self.pages[file.src_uri] = self._state(page)
                woven = state.woven
                page.content, page.toc = woven.content, table(woven.contents)
                page.title, page.meta = state.title, state.meta

    def _state(self, page: MkDocsPage) -> PageState:
        """Return a page with its outputs; as it was before, if it can't be made."""
        path = page.file.src_uri
        before = self.before.pages.get(path)
        if before and path not in self.rendered:  # MkDocs left it
            self._give(page, before.rendered)
            self.search.of[page.url] = self.before.entries.get(page.url, [])
            return self._kept(before)
        try:
            if path in self.broken:
                raise Problem(self.broken[path])
            with listening() as told:
                made = self._made(page)
            if told or made.woven.told:
                self.unsteady.add(path)
            return made
        except Problem as problem:
            self._give_up(page, problem)
        if before:
            return self._kept(before)
        html = notice(self.read.words["problem"], self.broken[path], is_block=True)
        return self._said(page, Woven(html, html, (), {}, (self.broken[path],)), "")

    def _kept(self, state: PageState) -> PageState:
        """Return a page as it was, and put its picture there again."""
        if state.about["card"]:
            self.again(state.about["card"])
        return state

    def _made(self, page: MkDocsPage) -> PageState:
        read, file, path = self.read, page.file, page.file.src_uri
        glossary = read.glossary and self.files.get_file_from_path(read.glossary)
        address = glossary.url_relative_to(file) if glossary and glossary != file else None
        content, items = page.content or "", contents(page.toc)
        woven = self.cache.keep(
            *("outputs", Woven, lambda: self._woven(page, content, items, address)),
            *(self.shows.made_of(path), content, items, page.meta, (address, page.url)),
        )
        return self._said(page, woven, self._anchors(file))

    def _anchors(self, file: File) -> str:
        """Return the anchors of what a page no longer has, see `pages.moved`."""
        read, own = self.read, self.read.pages[file.src_uri]
        if not own.front.says.moved:
            return ""
        ids = {path: page.ids for path, page in read.pages.items()}
        if read.glossary:
            ids[read.glossary] += [term.id for term in read.terms]
        return moved.anchors(own, ids, partial(addresses.address, file, self.files))

    def _woven(
        self, page: MkDocsPage, content: str, items: tuple[page_cache.Item, ...], address: str | None
    ) -> Woven:
        """Return a page with what its programs printed; `address` is where the glossary is."""
        read, path = self.read, page.file.src_uri
        marks = self.placeholders[path]
        marks.check(content, read.is_compared(path))
        content, items = marks.weave(content, items, self.shows.at(page.url, path), self.shows.wrong(path))
        terms, own = read.linked_terms(path), read.pages[path]
        but = not_meant(own.front.says.not_terms, terms, own.front.place(own.path, "not_terms"))
        if address:
            content = link_first_uses(content, terms, address, self.shows.of(path).words, but)
        content = self._without_scripts(content, path)
        whole = keep_particles(marks.add_pictures(content))
        return Woven(content, whole, items, marks.scripts, tuple(marks.told))

    def _said(self, page: MkDocsPage, woven: Woven, anchors: str) -> PageState:
        """Return a page with its outputs and what is said of it."""
        read, path, title = self.read, page.file.src_uri, page.title
        said = page.meta.get("title", title), page.meta.get("description", "")
        origin = read.origin(path)
        is_borrowed = origin != read.language
        entry = downloads.Entry(*said, page.url, page.file.dest_uri, read.pages[path], origin, is_borrowed)
        told = about(self.shows, entry, page, self.config, self.files, not woven.told)
        meta = {
            key: self._without_scripts(one, path) if isinstance(one, str) else one
            for key, one in page.meta.items()
        }
        if "title" in meta:  # else the search plugin reads this one
            given = meta["title"] if title == page.meta["title"] else title  # or the navigation's
            title = keep_particles(meta.get("nav_title", given))
        show, made_of = self.shows.at(page.url, path), self.shows.made_of(path)
        return PageState(self.rendered[path], woven, title, meta, entry, told, anchors, show, made_of)

    def _without_scripts(self, html: str, path: str) -> str:
        """Return a page's content without scripts that the policy would forbid, and warn of those."""
        options = self.read.site.options
        if not options.policy or options.offline or (safe := inert(html)) == html:
            return html
        log.warning(
            f"{self.read.pages[path].path}: `policy` forbids inline scripts, so this page's script is "
            "shown as text. Move it to a file, and list that in `extra_javascript`."
        )
        return safe

    def index(self, page: MkDocsPage) -> None:
        """Keep the search plugin from reading a page that it has read before; `complete` lets it again."""
        if self.search.knows(page):
            page.meta = {**page.meta, "search": {"exclude": True}}

    def complete(self, page: MkDocsPage) -> dict[str, Any]:
        """Put in what the search plugin, which has read the page, should not; return what templates say."""
        state = self.pages[page.file.src_uri]
        page.meta = state.meta
        if page.content:
            content = state.woven.whole
            if state.entry.is_borrowed:  # below a notice, and in its own language
                head = f'<p class="borrowed" data-search-exclude>{self.read.notice(page.file.src_uri)}</p>'
                content = f'{head}<div lang="{state.entry.language}">{content}</div>'
            page.content = state.anchors + content
            for item in (todo := list(page.toc)):
                item.title = keep_particles(item.title)
                todo += item.children
        return state.about

    def styled(self, html: str, page: MkDocsPage) -> str:
        """Return the HTML of a page with the styles that it uses."""
        state = self.pages.get(page.file.src_uri)
        return self.inline(html, page.file.dest_uri, state.woven.scripts.values() if state else ())
