"""MkDocs' two large steps, Markdown -> HTML and HTML -> page: made once for the same text, site and theme."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import jinja2
import msgspec
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Section
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink, TableOfContents
from mkdocs.theme import Theme

from weaver.mkdocs.kept import Kept, digest
from weaver.problem import Problem
from weaver.render.wrap import keep_particles

Entries = list[dict[str, Any]]  # of the search index
# What a page cannot be kept with, if its template reads it: the moment of the build, all other pages' text
UNKNOWN = {"build_date_utc", "pages"}


class Item(msgspec.Struct, frozen=True):
    """An entry of a table of contents."""

    title: str
    id: str
    level: int
    children: tuple[Item, ...]


class Rendered(msgspec.Struct, frozen=True):
    """What MkDocs knows of a page when it is HTML; `links` are those to anchors, by the file's path."""

    content: str
    contents: tuple[Item, ...]
    title: str | None
    anchors: tuple[str, ...]
    links: dict[str, dict[str, str]]


class Woven(msgspec.Struct, frozen=True):
    """A page with what its programs printed; its pictures come later, `scripts` lie beside it.

    `told` are the sentences on what can't be shown, where notices stand in its place.
    """

    content: str
    contents: tuple[Item, ...]
    pictures: dict[str, str]
    scripts: dict[str, str]
    told: tuple[str, ...] = ()


class Written(msgspec.Struct, frozen=True):
    """A page as the theme writes it."""

    html: str


def about_site(config: MkDocsConfig, files: Files) -> str | None:
    """Return a digest of what all pages of a project are made with, but where they are written."""
    settings = {name: value for name, value in config.items() if name != "site_dir"}
    own = Path(config.theme.custom_dir or config.docs_dir)
    templates = [(str(path), path.read_bytes()) for path in sorted(own.rglob("*.html"))]
    return digest(settings, sorted(config.theme.static_templates), templates, list(files))


def keep_markdown(page: Page, kept: Kept, site: str | None, give_up: Callable[[Problem], None]) -> None:
    """Have `page.render` make of a text what it made of it before, or `give_up` at a Problem."""
    render = page.render

    def again(config: MkDocsConfig, files: Files) -> None:
        def make() -> Rendered:
            render(config, files)
            links = {file.src_uri: anchors for file, anchors in (page.links_to_anchors or {}).items()}
            anchors = tuple(sorted(page.present_anchor_ids or ()))
            return Rendered(page.content, items(page.toc), page._title_from_render, anchors, links)

        try:
            made = kept(Rendered, make, site and (site, page.file.src_uri, page.markdown))
        except Problem as problem:
            page.present_anchor_ids, page.links_to_anchors = set(), {}
            return give_up(problem)
        page.content, page.toc = made.content, table(made.contents)
        page._title_from_render, page.present_anchor_ids = made.title, set(made.anchors)
        page.links_to_anchors = {files.get_file_from_path(name): links for name, links in made.links.items()}

    page.render = again


def items(contents: Any) -> tuple[Item, ...]:
    """Return a table of contents as data."""
    return tuple(Item(one.title, one.id, one.level, items(one.children)) for one in contents)


def table(contents: tuple[Item, ...]) -> TableOfContents:
    """Return data as a table of contents, of which MkDocs marks the first entry."""
    found = _links(contents)
    for first in found[:1]:
        first.active = True
    return TableOfContents(found)


def _links(contents):
    links = []
    for item in contents:
        link = AnchorLink(item.title, item.id, item.level)
        link.children = _links(item.children)
        links.append(link)
    return links


class _Loader(jinja2.FileSystemLoader):
    """Lists no hidden folders, of which MkDocs takes nothing; Material has 14,000 icons in one."""

    def list_templates(self):
        found = set()
        for folder in self.searchpath:
            for path, inside, files in os.walk(folder, followlinks=self.followlinks):
                inside[:] = [name for name in inside if not name.startswith(".")]
                found |= {Path(path, name).relative_to(folder).as_posix() for name in files}
        return sorted(found)


def lighten(theme: Theme, cache: Path) -> None:
    """Have MkDocs list a theme's files faster, and keep its templates compiled below `cache`."""
    make, folder = theme.get_env, cache / "templates"

    def get_env() -> jinja2.Environment:
        env = make()
        env.loader = _Loader(theme.dirs)
        with suppress(OSError):  # a cache that cannot be written costs time, not the build
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                env.bytecode_cache = jinja2.FileSystemBytecodeCache(str(folder))
        return env

    theme.get_env = get_env


def keep_pages(env: jinja2.Environment, kept: Kept, site: str | None) -> None:
    """Have the templates of a project make of a page what they made of it before."""
    read: set[str] = set()

    @cache
    def around(nav):
        return site and digest(site, nav, env.globals, env.filters)

    class Context(env.context_class):
        def resolve_or_missing(self, key):
            read.add(key)
            return super().resolve_or_missing(key)

    class Template(env.template_class):
        def render(self, *arguments, **keywords):
            context = dict(*arguments, **keywords)
            key = _key(self.name, context, around(context["nav"]))
            if found := kept.find(Written, key):
                return found.html
            read.clear()
            html = super().render(context)
            if not read & UNKNOWN:
                kept.put(key, Written(html))
            return html

    env.context_class, env.template_class = Context, Template


def _key(template, context, around):
    """Return what a page's HTML is kept under; None where it is no page, or cannot be kept."""
    page = context["page"]
    if not page or not around:
        return None
    rest = {name: value for name, value in context.items() if name not in UNKNOWN | {"config", "nav", "page"}}
    # its place in the navigation follows from that and its address
    own = {name: value for name, value in vars(page).items() if not isinstance(value, Section | FunctionType)}
    return digest("Written", around, template, rest, page, own)


def entries(indexed: dict[str, str | None], kept: Kept, found: Entries) -> Entries:
    """Return the entries of all pages: what the search plugin has `found`, and what is kept.

    `indexed` says, by the address of a page, what its entries are kept under.
    """
    all_of_them = []
    for url, key in indexed.items():
        own = [entry for entry in found if entry["location"].split("#")[0] == url]
        before = [] if own else kept.find(Entries, key) or []
        if not before:
            kept.put(key, own)
        all_of_them += own or before
    return all_of_them


def join_titles(contents: Iterable[AnchorLink]) -> None:
    """Keep particles on their lines in a table of contents, too."""
    for item in contents:
        item.title = keep_particles(item.title)
        join_titles(item.children)
