"""The styles that a page uses, in its head: what is painted first waits for no second request."""

import posixpath
import re
from collections.abc import Iterable
from functools import lru_cache

from mkdocs.structure.files import Files

from weaver.mkdocs.kept import Kept, digest
from weaver.mkdocs.remembered import remembered
from weaver.site import styles

LINK = re.compile(r'\s*<link rel="stylesheet" href="([^"]+)">')
NAMED = re.compile(r"""["']([\w./-]+\.js)["']""")
SCRIPT = re.compile(r'<script[^>]*\ssrc="([^"]+)"')


class Inline:
    """Puts the styles of pages into them, from the files of one project."""

    def __init__(self, files: Files, kept: Kept):
        self._files, self._kept = {file.dest_uri: file for file in files}, kept

    def __call__(self, html: str, at: str, others: Iterable[str] = ()) -> str:
        """Return the page that is written to the path `at`, with the styles that it uses.

        What its scripts may load has a say in that, and so have `others`, which bring more to show. It stays
        as it is if a stylesheet or a script of it is not this project's.
        """
        sheets = {address: self._text(self._path(at, address)) for address in LINK.findall(html)}
        scripts = list(others)
        for address in SCRIPT.findall(html):
            scripts += self._scripts(self._path(at, address))
        if not sheets or None in scripts or None in sheets.values():
            return html

        def make():
            words = styles.words(html, scripts)
            rules = [rule for address, css in sheets.items() for rule in _parsed(css, address)]
            return styles.used(rules, words)

        made_of = digest(html, [(address, _digest(text)) for address, text in sheets.items()])
        style = f"\n<style>{self._kept(str, make, made_of, *map(_digest, scripts))}</style>"
        first = LINK.search(html).start()
        return html[:first] + style + LINK.sub("", html[first:])

    @staticmethod
    def _path(at, address):
        return posixpath.normpath(posixpath.join(posixpath.dirname(at), address))

    @remembered
    def _scripts(self, path):
        """Return the texts of a script and of those that it names; None if it is not there."""
        found, todo = {}, [path]
        while todo:
            if (path := todo.pop()) not in found:
                found[path] = self._text(path)
                names = {self._path(path, name) for name in NAMED.findall(found[path] or "")}
                todo += [name for name in sorted(names) if name in self._files]
        return list(found.values())

    @remembered
    def _text(self, path):
        file = self._files.get(path)
        return file and file.content_string


_digest = lru_cache(maxsize=64)(digest)


def _parsed(css, address):
    return styles.parse(css, posixpath.dirname(address))
