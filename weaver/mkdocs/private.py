"""What we use of MkDocs and Jinja beyond their documentation, as `tests/mkdocs/test_private.py` says."""

import logging
import os
from collections.abc import Callable
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.theme import Theme

from weaver.execution.cache import Cache

# What MkDocs says once per project, and by which logger
BUILDS = logging.getLogger("mkdocs.commands.build")
ONCE = (
    *("Cleaning site directory", "Building documentation to directory", "Documentation built in"),
    "A 'dirty' build is being performed",
)


def convert_by(page: Page, convert: Callable[[Callable[[], None], Files], None]) -> None:
    """Have MkDocs turn a page's Markdown into HTML by `convert`, which is given what it does itself."""
    render = page.render

    def instead(config: MkDocsConfig, files: Files) -> None:
        convert(lambda: render(config, files), files)

    page.render = instead  # type: ignore[method-assign]


def build_by(server: LiveReloadServer, build: Callable[[Callable[[], None]], None]) -> None:
    """Have MkDocs' server build by `build`, which is given what it does itself."""
    builder = server.builder
    server.builder = lambda: build(builder)


class _Loader(jinja2.FileSystemLoader):
    """Lists no hidden folders, of which MkDocs takes nothing; Material has 14,000 icons in one."""

    def list_templates(self) -> list[str]:
        found = set()
        for folder in self.searchpath:
            for path, inside, files in os.walk(folder, followlinks=self.followlinks):
                inside[:] = [name for name in inside if not name.startswith(".")]
                found |= {Path(path, name).relative_to(folder).as_posix() for name in files}
        return sorted(found)


class _Compiled(jinja2.BytecodeCache):
    """Keeps compiled templates."""

    def __init__(self, cache: Cache) -> None:
        self.cache = cache

    def load_bytecode(self, bucket: Bucket) -> None:
        data = self.cache.read(f"template-{bucket.key}")
        if data is not None:
            bucket.bytecode_from_string(data)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.cache.write(f"template-{bucket.key}", bucket.bytecode_to_string())


def lighten(theme: Theme, cache: Cache) -> None:
    """Have MkDocs list a theme's files faster, and keep its templates compiled."""
    make = theme.get_env

    def get_env() -> jinja2.Environment:
        env = make()
        env.loader, env.bytecode_cache = _Loader(theme.dirs), _Compiled(cache)
        return env

    theme.get_env = get_env  # type: ignore[method-assign]
