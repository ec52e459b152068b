"""MkDocs' events -> the engine: pages go in as Markdown, and come out with what the snippets printed."""

import logging
import re
import sys
import time
from importlib.metadata import version
from pathlib import Path

import click
from mkdocs.config import base
from mkdocs.config import config_options as options
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority

from weaver import languages
from weaver.book import Book
from weaver.lock import Lock
from weaver.markup import Html
from weaver.page import parse
from weaver.problem import Problem, shown
from weaver.run import LIMIT, Runner

log = logging.getLogger("mkdocs.plugins.weaver")
# A directive on its way through Markdown: private characters around its number on the page.
MARK = re.compile("<p>\ue000(\\d+)\ue001</p>|\ue000(\\d+)\ue001")


class Options(base.Config):
    """The plugin's settings in `mkdocs.yml`."""

    snippets = options.Dir(exists=True, default="snippets")
    cache = options.Dir(default=".cache/weaver")
    limit = options.Type((int, float), default=LIMIT)
    languages = options.DictOfItems(options.Type(dict), default={})


class WeaverPlugin(BasePlugin[Options]):
    """Runs the snippets that pages name and puts what they printed in the pages.

    With languages, this plugin's project is the gate; it reads all pages, starts all snippets,
    and builds a project per language. Each has a plugin of its own, its `parent` the gate's.
    """

    parent: "WeaverPlugin | None" = None
    language = ""
    runner: Runner | None = None
    serving = False

    def on_startup(self, *, command, dirty):
        """Stay the same object, with a warm server, while `mkdocs serve` builds again and again."""
        self.serving = command == "serve"

    def on_shutdown(self):
        if self.runner:
            self.runner.close()

    def on_config(self, config):
        if self.parent:
            return
        self.began = time.monotonic()
        cache = Path(config.config_file_path).parent / self.config.cache
        self.lock = Lock(cache, config.site_dir)
        self.lock.acquire(lambda: log.info(f"Waiting for another build of {config.site_dir} to end"))
        self.runner = self.runner or Runner(cache, self.config.limit)
        self.runner.ran = self.runner.reused = 0
        self.torch = version("torch").split("+")[0]
        try:
            self.book = Book(
                _relative(config.docs_dir), _relative(self.config.snippets), tuple(self.config.languages)
            )
        except Problem as problem:
            raise PluginError(str(problem)) from None
        self.runner.request(self.book.asked())
        self.results = None
        if self.config.languages:
            languages.make_gate(config)
        else:
            self.parent, self.language = self, config.theme.get("language") or "en"

    def on_files(self, files, *, config):
        if not self.parent:
            return languages.without_languages(files, self.config.languages)

    def on_nav(self, nav, *, config, files):
        if self.parent and self.language in self.config.languages:
            languages.name_sections(nav, self.config.languages[self.language].get("sections", {}))

    def on_page_markdown(self, markdown, *, page, config, files):
        """Put a mark in the place of each directive; what it stands for is not known yet."""
        if not self.parent:
            return
        path = Path(page.file.abs_src_path)
        above = path.read_text(encoding="utf-8").rstrip("\n").count("\n") - markdown.rstrip("\n").count("\n")
        try:
            parsed = parse(markdown, shown(path), 1 + above)
        except Problem as problem:
            raise PluginError(str(problem)) from None
        page.directives = []

        def mark(directive):
            page.directives.append(directive)
            return f"\ue000{len(page.directives) - 1}\ue001"

        return parsed.weave(mark)

    @event_priority(100)
    def on_env(self, env, *, config, files):
        """When all pages are HTML, and the snippets have run beside that, put in what they printed."""
        if not self.parent:
            return
        try:
            html = Html(self.parent.book.snippets, self.parent.finish(), self.language, self.parent.torch)
            for file in files.documentation_pages():
                if file.page and file.page.content:
                    _weave(file.page, html)
        except Problem as problem:
            raise PluginError(str(problem)) from None

    def finish(self):
        """Wait for all snippets, once; return their results. Raises Problem if any cannot be shown."""
        if self.results is None:
            with _progress() as progress:
                self.results = self.runner.results(progress)
            self.book.check(self.results)
            log.info(
                f"{self.runner.ran} snippets ran, {self.runner.reused} came from the cache, "
                f"in {time.monotonic() - self.began:.1f} s"
            )
        return self.results

    def on_post_build(self, *, config):
        if not self.parent:
            for language, edition in languages.editions(config, self.config.languages):
                plugin = edition.plugins["weaver"]
                plugin.parent, plugin.language = self, language
                languages.build_edition(edition, config.site_url if self.serving else None)
        if self.parent in (None, self):
            self.parent = None
            self.lock.release()

    def on_build_error(self, *, error):
        if self.parent in (None, self):
            self.lock.release()


def _weave(page, html):
    """Replace the marks in a page's content and in its table of contents."""

    def put(match):
        return html(page.directives[int(match[1] or match[2])])

    page.content = MARK.sub(put, page.content)
    todo = list(page.toc)
    while todo:
        item = todo.pop()
        item.title = MARK.sub(lambda match: re.sub("<[^>]*>", "", put(match)), item.title)
        todo += item.children


def _relative(path):
    return Path(shown(Path(path)))


class _progress:
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
