"""What is made of a page, kept under all that it is made of: what has not changed is not made again."""

import hashlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, TypeVar

import msgspec
from mkdocs.localization import Locale
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File
from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink, TableOfContents

from weaver.execution.cache import Cache
from weaver.execution.fingerprint import fingerprint

NAME = "pages"  # of the entry of the cache
Made = TypeVar("Made")
Files = Mapping[str, str]  # path -> digest of what it holds


class _Entry(msgspec.Struct):
    """What was made, as msgpack, and the files that were read for it."""

    made: bytes
    files: dict[str, str]


class _Store(msgspec.Struct):
    """All entries of a build; `code` are the files of the site's own programs that took part."""

    engine: str
    code: dict[str, str]
    entries: dict[str, _Entry]


class Kept:
    """Returns what was made before, in this process or by the last build, if nothing has changed.

    What a key is made of must be all that `make` looks at; the files that it opens are found by
    themselves. What told the writer something while it was made, a warning, is made again, so that it is
    told again. Only what the last build used is kept.
    """

    def __init__(self, cache: Cache):
        self.cache, self._entries, self._used = cache, {}, {}
        self._made: dict[str, Any] = {}  # of this process, by key
        self._engine = fingerprint("weaver.mkdocs.plugin")
        try:
            store = msgspec.msgpack.decode(cache.read(NAME) or b"", type=_Store)
        except msgspec.MsgspecError:
            return
        if store.engine == self._engine and store.code == _digests(store.code):
            self._entries = store.entries

    def __call__(self, form: type[Made], make: Callable[[], Made], *facts: Any) -> Made:
        """Return what `make()`, of type `form`, gives, or gave for the same `facts`.

        Nothing is kept if one of them is None, a digest of what nobody knows.
        """
        key = digest(form.__name__, facts) if None not in facts else None
        if (found := self.find(form, key)) is not None:
            return found
        with _noticing() as noticed:
            made = make()
        if not noticed.said:
            self.put(key, made, noticed.files(self.cache.folder))
        return made

    def find(self, form: type[Made], key: str | None) -> Made | None:
        """Return what is kept under `key`, if the files that were read for it are the same."""
        entry = self._used.get(key) or self._entries.get(key) if key else None
        if entry is None or entry.files != _digests(entry.files):
            return None
        self._used[key] = entry
        if key not in self._made:
            self._made[key] = msgspec.msgpack.decode(entry.made, type=form)
        return self._made[key]

    def put(self, key: str | None, made: Any, files: Files = {}) -> None:
        """Keep what was made; without a key it cannot be kept."""
        if key:
            self._used[key] = _Entry(msgspec.msgpack.encode(made), dict(files))
            self._made[key] = made

    def is_current(self) -> bool:
        """Tell whether all files that were read for what is kept are the same."""
        files = [file for entry in self._entries.values() for file in entry.files.items()]
        now = _digests({path for path, _ in files})
        return all(now[path] == digest for path, digest in files)

    def add(self) -> None:
        """End what made a part of the site again: the rest is kept as well."""
        self._entries |= self._used
        self._used = {}

    def finish(self, save: bool) -> None:
        """End a build: forget what it did not use; `save` the rest for the next process, if it is new."""
        is_new = self._used.keys() != self._entries.keys()
        self._entries, self._used = self._used, {}
        self._made = {key: made for key, made in self._made.items() if key in self._entries}
        if save and is_new:
            store = _Store(self._engine, _own_code(), self._entries)
            self.cache.write(NAME, msgspec.msgpack.encode(store))


def digest(*facts: Any) -> str | None:
    """Return a digest of data; None if there is something in it of which nobody knows what it is."""
    try:
        data = msgspec.msgpack.encode(facts, enc_hook=_plain, order="deterministic")
    except (TypeError, ValueError, NotImplementedError):
        return None
    return hashlib.blake2b(data, digest_size=20).hexdigest()


def _plain(value):
    """Return what msgpack does not know as what it knows: of a page, what links to it are made of."""
    for form, plain in PLAIN.items():
        if isinstance(value, form):
            return plain(value)
    raise NotImplementedError(type(value))


PLAIN = {
    Page: lambda page: [page.title, page.url, page.abs_url, page.canonical_url, page.edit_url, page.meta],
    Section: lambda section: [section.title, section.children],
    Link: lambda link: [link.title, link.url],
    Navigation: lambda nav: [nav.items, [page.url for page in nav.pages]],
    File: lambda file: [file.src_uri, file.url, file.inclusion.name],
    AnchorLink: lambda item: [item.title, item.id, item.level, item.children],
    TableOfContents: list,
    BasePlugin: lambda plugin: [type(plugin), plugin.config],
    ModuleType: lambda module: _digests([module.__file__]),
    FunctionType | MethodType | BuiltinFunctionType | type: lambda it: f"{it.__module__}.{it.__qualname__}",
    partial: lambda one: [one.func, one.args, one.keywords],
    Mapping: dict,
    Path | Locale: str,
}


class _Noticed:
    """What happened while something was made: what was said, which files were opened, or weren't there."""

    def __init__(self):
        self.said, self.opened, self.thread = False, set(), threading.get_ident()

    def files(self, cache: Path) -> Files:
        """Return the digests of these files, but for code, and what is in the cache itself."""
        apart = (sys.prefix, sys.base_prefix, str(cache.resolve()))
        paths = {str(Path(path).resolve()) for path in self.opened}
        code = (".py", ".pyc")
        return _digests(path for path in paths if not path.startswith(apart) and not path.endswith(code))


class _Listener(logging.Handler):
    def emit(self, record):
        _now.said = True


_now: _Noticed | None = None
_listener = _Listener(logging.INFO)


def _notice(event, arguments):
    if event == "open" and _now and isinstance(arguments[0], str) and threading.get_ident() == _now.thread:
        _now.opened.add(arguments[0])


sys.addaudithook(_notice)


@contextmanager
def _noticing() -> Iterator[_Noticed]:
    global _now
    before, exists = _now, os.path.exists
    _now = noticed = _Noticed()

    def looked_for(path):  # an included file that isn't there yet isn't opened
        if not (is_there := exists(path)) and isinstance(path, str):
            noticed.opened.add(path)
        return is_there

    os.path.exists = looked_for
    logging.getLogger("mkdocs").addHandler(_listener)
    try:
        yield noticed
    finally:
        _now, os.path.exists = before, exists
        if before is None:
            logging.getLogger("mkdocs").removeHandler(_listener)


def _digests(paths: Iterable[str]) -> dict[str, str]:
    """Return the digest of each file, empty if it cannot be read."""
    found = {}
    for path in paths:
        try:
            found[path] = hashlib.blake2b(Path(path).read_bytes(), digest_size=20).hexdigest()
        except OSError:
            found[path] = ""
    return found


def _own_code() -> Files:
    """Return the files of the modules that no package brought: extensions and hooks of the site's own."""
    installed = (sys.prefix, sys.base_prefix)
    paths = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
    return _digests(path for path in paths if path and not path.startswith(installed))
