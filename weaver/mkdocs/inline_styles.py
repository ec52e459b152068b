"""The styles that a page uses, in its head: what is painted first waits for no second request."""

import posixpath
import re
from collections.abc import Iterable
from functools import cache

from mkdocs.structure.files import Files

from weaver.mkdocs.page_cache import PageCache, digest
from weaver.site import styles

LINK = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
NAMED = re.compile(r"""["']([\w./-]+\.js)["']""")
SCRIPT = re.compile(r'<script[^>]*\ssrc="([^"]+)"')


class InlineStyles:
    """Puts the styles of pages into them, from the files of one project."""

    def __init__(self, files: Files, pages: PageCache) -> None:
        self._files, self._pages = {file.dest_uri: file for file in files}, pages
        self._text, self._scripts = cache(self._read), cache(self._named)
        self._digest = cache(digest)

    def __call__(self, html: str, at: str, others: Iterable[str] = ()) -> str:
        """Return the page that is written to the path `at`, with the styles that it uses.

        What its scripts may load has a say in that, and so have `others`, which bring more to show. It stays
        as it is if a stylesheet or a script of it is not this project's.
        """
        found = {address: self._text(_path(at, address)) for address in LINK.findall(html)}
        sheets = {address: css for address, css in found.items() if css is not None}
        scripts = [*others]
        for address in SCRIPT.findall(html):
            texts = self._scripts(_path(at, address))
            if texts is None:
                return html
            scripts += texts
        if not sheets or len(sheets) < len(found):
            return html

        def make() -> str:
            own = [(css, posixpath.dirname(address)) for address, css in sheets.items()]
            return styles.used(own, styles.words(html, scripts))

        made_of = [(address, self._digest(css)) for address, css in sheets.items()]
        css = self._pages.keep("styles", str, make, html, made_of, [self._digest(one) for one in scripts])
        *before, rest = LINK.split(html)[::2]
        return "".join([before[0].rstrip(), f"\n<style>{css}</style>", *map(str.rstrip, before[1:]), rest])

    def _named(self, path: str) -> list[str] | None:
        """Return the texts of a script and of those that it names; None if it isn't there."""
        found: dict[str, str] = {}
        todo = [path]
        while todo:
            if (path := todo.pop()) not in found:
                text = self._text(path)
                if text is None:
                    return None
                found[path] = text
                names = {_path(path, name) for name in NAMED.findall(text)}
                todo += [name for name in sorted(names) if name in self._files]
        return list(found.values())

    def _read(self, path: str) -> str | None:
        file = self._files.get(path)
        return file.content_string if file else None


def _path(at: str, address: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(at), address))
