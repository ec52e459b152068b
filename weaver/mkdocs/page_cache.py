"""The steps from a page's Markdown to its file, each kept on disk under all that it is made of."""

from __future__ import annotations

import hashlib
import logging
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, TypeVar

import msgspec
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.localization import Locale
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink, TableOfContents

from weaver.execution.cache import Cache
from weaver.execution.fingerprint import fingerprint
from weaver.mkdocs.progress import Each

Made = TypeVar("Made")
Entries = list[dict[str, Any]]  # of the search
PURE = re.compile(r"(markdown\.extensions|pymdownx|weaver)\.")  # extensions that read no file, but:
READ_FILES = {"pymdownx.snippets": r"-8<-", "pymdownx.b64": r"<img|!\[", "pymdownx.emoji": r":[\w+-]+:"}


class Item(msgspec.Struct, frozen=True):
    """An entry of a table of contents."""

    title: str
    id: str
    level: int
    children: tuple[Item, ...]


class Rendered(msgspec.Struct, frozen=True):
    """What MkDocs makes of a page's Markdown; `links` are those to anchors, by the file's path."""

    content: str
    contents: tuple[Item, ...]
    title: str | None
    anchors: tuple[str, ...]
    links: dict[str, dict[str, str]]


class Woven(msgspec.Struct, frozen=True):
    """A page with what its programs printed, for the search; `whole` has pictures as well, for readers.

    `scripts` lie beside the page. `told` are the sentences on what can't be shown, where notices are in its
    place.
    """

    content: str
    whole: str
    contents: tuple[Item, ...]
    scripts: dict[str, str]
    told: tuple[str, ...] = ()


class PageCache:
    """Returns what was made of the pages of a project before, if nothing that it was made of has changed.

    The facts of a step must be everything that it looks at. What logs something while it is made isn't kept,
    so that the writer is told again.
    """

    def __init__(self, cache: Cache, config: MkDocsConfig, files: Files) -> None:
        self.cache, self.config = cache, config
        self.site = _of_site(config, files)

    def keep(self, step: str, kind: type[Made], make: Callable[[], Made], *facts: Any) -> Made:
        """Return what's kept for these facts, or make it. A fact that's None keeps nothing."""
        name = self.key(step, *facts)
        if name is None:
            return make()
        if (found := self.cache.message(name, kind)) is not None:
            return found
        with listening() as said:
            made = make()
        if not said:
            self.put(name, made)
        return made

    def key(self, step: str, *facts: Any) -> str | None:
        """Return the key of a step with these facts; None if one of them is unknown."""
        return None if None in facts or not self.site else digest(self.site, step, *facts)

    def put(self, key: str, made: object) -> None:
        """Keep what was made under a key."""
        self.cache.write(key, msgspec.json.encode(made))

    def reads_files(self, markdown: str) -> bool:
        """Tell whether an extension may read a file for this text: then its HTML isn't kept."""
        modules = {_module(name) for name in self.config.markdown_extensions}
        if not all(PURE.match(f"{module}.") for module in modules):
            return True
        if self.config.mdx_configs.get("pymdownx.snippets", {}).get("auto_append"):
            return True
        return any(re.search(READ_FILES[one], markdown) for one in modules & READ_FILES.keys())


class SearchEntries:
    """What the search finds on a project's pages, made by the search plugin, once per page.

    `of` has the entries that are known, by the page's address.
    """

    def __init__(self, cache: PageCache) -> None:
        self.cache = cache
        self.of: dict[str, Entries] = {}
        self._keys: dict[str, str | None] = {}  # by the page's address

    def knows(self, page: Page) -> bool:
        """Tell whether a page's entries are known, so that the plugin need not read it."""
        key = self.cache.key("sections", page.content, contents(page.toc), [page.title, page.meta], page.url)
        self._keys[page.url] = key
        known = key and self.cache.cache.message(key, Entries)
        if known:
            self.of[page.url] = known
        return bool(known)

    def add(self, found: Entries) -> None:
        """Add what the plugin has `found`."""
        new: dict[str, Entries] = {}
        for entry in found:
            new.setdefault(entry["location"].split("#")[0], []).append(entry)
        for url, own in new.items():
            if key := self._keys.get(url):
                self.cache.put(key, own)
        self.of |= new


def _of_site(config: MkDocsConfig, files: Files) -> str | None:
    """Return a digest of everything that all pages depend on, except the folder they're written to.

    What templates make of pages isn't kept, so those have no part in it.
    """
    settings = {name: value for name, value in config.items() if name != "site_dir"}
    engine = fingerprint("weaver.mkdocs.plugin"), _own_code()
    return digest(engine, settings, list(files))


@cache
def _module(extension: str) -> str:
    """Return the module of an extension: `markdown.extensions.toc` for `toc`."""
    named = entry_points(group="markdown.extensions", name=extension)
    return next((one.value for one in named), extension).partition(":")[0]


def contents(toc: Iterable[AnchorLink]) -> tuple[Item, ...]:
    """Return a table of contents as data."""
    return tuple(Item(one.title, one.id, one.level, contents(one.children)) for one in toc)


def table(items: tuple[Item, ...]) -> TableOfContents:
    """Return data as a table of contents, of which MkDocs marks the first entry."""
    found = _links(items)
    for first in found[:1]:
        first.active = True  # type: ignore[attr-defined]
    return TableOfContents(found)


def _links(items: tuple[Item, ...]) -> list[AnchorLink]:
    links = []
    for item in items:
        link = AnchorLink(item.title, item.id, item.level)
        link.children = _links(item.children)
        links.append(link)
    return links


def digest(*facts: Any) -> str | None:
    """Return a digest of data; None if there is something in it of which nobody knows what it is."""
    try:
        data = msgspec.msgpack.encode(facts, enc_hook=_plain, order="deterministic")
    except (TypeError, ValueError, NotImplementedError):
        return None
    return hashlib.blake2b(data, digest_size=20).hexdigest()


def _plain(value: Any) -> Any:
    """Convert a value that msgpack can't encode into one that it can."""
    for form, plain in PLAIN.items():
        if isinstance(value, form):
            return plain(value)
    raise NotImplementedError(type(value))


PLAIN: dict[Any, Callable[[Any], Any]] = {
    File: lambda file: [file.src_uri, file.url, file.inclusion.name],
    BasePlugin: lambda plugin: [type(plugin), plugin.config],
    ModuleType: lambda module: _file_digest(module.__file__),
    FunctionType | MethodType | BuiltinFunctionType | type: lambda it: f"{it.__module__}.{it.__qualname__}",
    partial: lambda one: [one.func, one.args, one.keywords],
    Mapping: dict,
    Path | Locale: str,
}


def _own_code() -> dict[str, str]:
    """Return digests of the modules that no package brought: extensions and hooks of the site's own."""
    installed = (sys.prefix, sys.base_prefix)
    modules = list(sys.modules.items())  # ours are in `fingerprint`, also those that are loaded later
    paths = {getattr(one, "__file__", None) or "" for name, one in modules if not name.startswith("weaver.")}
    own = (one for one in paths if one and not one.startswith(installed) and "-packages" not in one)
    return {path: _file_digest(path) for path in own}


def _file_digest(path: str) -> str:
    """Return the digest of a file, empty if it can't be read."""
    try:
        return hashlib.blake2b(Path(path).read_bytes(), digest_size=20).hexdigest()
    except OSError:
        return ""


@contextmanager
def listening() -> Iterator[list[logging.LogRecord]]:
    """Give the list to which everything is added that MkDocs and its plugins log meanwhile."""
    said: list[logging.LogRecord] = []
    listener = Each(said.append, logging.INFO)
    logging.getLogger("mkdocs").addHandler(listener)
    try:
        yield said
    finally:
        logging.getLogger("mkdocs").removeHandler(listener)
