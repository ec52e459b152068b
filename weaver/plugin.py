"""MkDocs' events -> the engine: pages go in as Markdown, and come out with what the snippets printed."""

import logging
import re
import sys
import time
from html import escape
from pathlib import Path

import click
from mkdocs.commands.build import build
from mkdocs.config import base
from mkdocs.config import config_options as options
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority

from weaver import languages
from weaver.book import Book
from weaver.cache import version
from weaver.lock import Lock
from weaver.markup import DRAWN, Html, code, visible
from weaver.page import parse
from weaver.problem import Problem, shown
from weaver.run import LIMIT, Runner

log = logging.getLogger("mkdocs.plugins.weaver")
# A directive on its way through Markdown is one private character, U+E000 and its number on the
# page. Alone in a paragraph it is a block; in a formula it is a number.
FIRST = 0xE000
IN_A_TAG = re.compile("<[^<>]*([\ue000-\uf8ff])[^<>]*>")
PICTURE = re.compile("<p data-search-exclude>([\ue000-\uf8ff])</p>")
MARK = re.compile("<p>([\ue000-\uf8ff])</p>|(<mi>)([\ue000-\uf8ff])</mi>|([\ue000-\uf8ff])")


class Options(base.Config):
    """The plugin's settings in `mkdocs.yml`."""

    snippets = options.Dir(exists=True, default="snippets")
    cache = options.Dir(default=".cache/weaver")
    limit = options.Type((int, float), default=LIMIT)
    languages = options.DictOfItems(options.Type(dict), default={})


class WeaverPlugin(BasePlugin[Options]):
    """Runs the snippets that pages name and puts what they printed in the pages.

    With languages, the project of `mkdocs.yml` is a gate that has no snippets: it reads all pages,
    starts what they ask for, and then builds a project per language. MkDocs gives these the same
    plugin object; `language` says whose turn it is, and is empty while it is the gate's.
    """

    language = ""
    runner: Runner | None = None
    lock: Lock | None = None
    serving = False

    def on_startup(self, *, command, dirty):
        """Stay the same object, with a warm server, while `mkdocs serve` builds again and again."""
        self.serving = command == "serve"

    def on_shutdown(self):
        if self.runner:
            self.runner.close()

    def on_config(self, config):
        if self.language:
            return
        self.began = time.monotonic()
        cache = Path(config.config_file_path).parent / self.config.cache
        self.lock = Lock(cache, config.site_dir)
        self.lock.acquire(lambda: log.info(f"Waiting for another build of {config.site_dir} to end"))
        self.runner = self.runner or Runner(cache, self.config.limit)
        self.runner.ran = self.runner.reused = 0
        self.torch = version("torch").split("+")[0]
        self.book = Book(
            _relative(config.docs_dir), _relative(self.config.snippets), tuple(self.config.languages)
        )
        self.runner.request(self.book.asked())
        self.results = None
        if self.config.languages:
            languages.make_gate(config, self.config.languages)
        else:
            self.language = config.theme.get("language") or "en"

    def on_files(self, files, *, config):
        if not self.language:
            return languages.without_languages(files, self.config.languages)

    def on_nav(self, nav, *, config, files):
        settings = self.config.languages.get(self.language, {})
        languages.name_sections(nav, settings.get("sections", {}))

    def on_page_markdown(self, markdown, *, page, config, files):
        """Put a mark in the place of each directive; what it stands for is not known yet."""
        if not self.language:
            return
        path = Path(page.file.abs_src_path)
        above = path.read_text(encoding="utf-8").rstrip("\n").count("\n") - markdown.rstrip("\n").count("\n")
        page.directives = []

        def mark(directive):
            if directive.kind != "end" and any(name not in self.book.snippets for name, _ in directive.asks):
                raise Problem(f"{directive.place}: only `.md` pages can show snippets. Rename the page.")
            if directive.kind in ("snippet", "question"):
                code(self.book.snippets[directive.name])  # now, while the snippets run
            page.directives.append(directive)
            return chr(FIRST + len(page.directives) - 1)

        return parse(markdown, shown(path), 1 + above).weave(mark)

    @event_priority(100)
    def on_env(self, env, *, config, files):
        """When all pages are HTML, and the snippets have run beside that, put in what they printed."""
        if not self.language:
            return
        html = Html(self.book.snippets, self._finish(), self.language, self.torch, self.runner.cache.keep)
        for file in files.documentation_pages():
            if file.page and file.page.content:
                _weave(file.page, html)

    @event_priority(-100)
    def on_page_context(self, context, *, page, config, nav):
        """Put the pictures in after the search plugin has read the page: they would only slow it down."""
        if self.language and page.content:
            page.content = PICTURE.sub(lambda mark: page.pictures[mark[1]], page.content)

    def _finish(self):
        """Wait for all snippets, once; return their results. Raises Problem if any cannot be shown."""
        if self.results is None:
            with _Progress() as progress:
                self.results = self.runner.results(progress)
            self.book.check(self.results)
            log.info(
                f"{self.runner.ran} snippets ran, {self.runner.reused} came from the cache, "
                f"in {time.monotonic() - self.began:.1f} s"
            )
        return self.results

    @event_priority(-100)
    def on_post_build(self, *, config):
        """Last of all, build the languages; other plugins, too, are shared with their projects."""
        if not self.config.languages:
            self._done()
        elif not self.language:
            for language, edition in languages.editions(config, self.config.languages):
                self.language = language
                build(edition, serve_url=config.site_url if self.serving else None)
            self._done()

    def _done(self):
        self.language = ""
        if self.lock:
            self.lock.release()

    def on_build_error(self, *, error):
        self._done()
        if isinstance(error, Problem):  # a sentence is enough: MkDocs prints no traceback of its own errors
            raise PluginError(str(error)) from None


def _weave(page, html):
    """Replace the marks in a page's content and in its table of contents; pictures come later."""
    page.pictures = {}

    def put(match):
        directive = page.directives[ord(match[1] or match[3] or match[4]) - FIRST]
        if directive.kind != "value" and not match[1]:
            raise Problem(f"{directive.place}: a {directive.kind} inside other text or code. Move it out.")
        if directive.kind in DRAWN:
            page.pictures[match[1]] = html(directive)
            return f"<p data-search-exclude>{match[1]}</p>"
        return f"<mn>{escape(visible(html.seen(directive)))}</mn>" if match[2] else html(directive)

    if hidden := IN_A_TAG.search(page.content):
        place = page.directives[ord(hidden[1]) - FIRST].place
        raise Problem(f"{place}: a value in a link's target or an image's text. Write it beside it.")
    page.content = MARK.sub(put, page.content)
    todo = list(page.toc)
    while todo:
        item = todo.pop()
        item.title = MARK.sub(lambda match: re.sub("<[^>]*>", "", put(match)), item.title)
        todo += item.children


def _relative(path):
    return Path(shown(Path(path)))


class _Progress:
    """On a terminal, a bar of the snippets that have run and the names of those that run."""

    def __enter__(self):
        self.bar = None
        return self if sys.stderr.isatty() else None

    def __call__(self, done, total, running):
        if self.bar is None:
            self.bar = click.progressbar(length=total, file=sys.stderr, item_show_func=lambda name: name)
            self.bar.__enter__()
        self.bar.update(done - self.bar.pos, running)

    def __exit__(self, *error):
        if self.bar:
            self.bar.__exit__(*error)
