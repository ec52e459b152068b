"""Keeps `mkdocs serve` going while programs run and after errors, which lie over the pages."""

import logging
import os
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException
from mkdocs.livereload import LiveReloadServer

from weaver.execution.labs.runner import Labs
from weaver.execution.snippets.runner import Runner
from weaver.mkdocs import notices, private
from weaver.mkdocs.options import Options
from weaver.problem import Problem
from weaver.site.words import words

AGAIN = 2.0  # seconds until what no build has taken up is told once more
REST = 5.0  # seconds at least, after a build, until the site is built again with what has run since
log = logging.getLogger("mkdocs.plugins.weaver")


class Preview:
    """The site while it's served: nothing that a writer does ends the server; `done` ends each build.

    `waits` is whether a build waits for its programs: not until all of the first build's have run.
    """

    def __init__(self, options: Options, done: Callable[[], None]) -> None:
        self.options, self.done, self.errors = options, done, notices.Errors()
        self.waits = self.is_over = False
        self.due = inf
        self.builds = 0  # that have begun since the first
        self.folder = TemporaryDirectory(prefix="weaver-", ignore_cleanup_errors=True)
        self.errors.begin()

    def serve(self, server: LiveReloadServer, config: MkDocsConfig, began: float) -> None:
        """Have MkDocs' server build by `build`, and show over its pages what went wrong.

        The server hasn't looked for edits since the first build `began`: if there were some, it builds again.
        """
        private.build_by(server, self.build)
        notices.lay_over(server, self._said)
        options = self.options
        named = options.snippets, options.glossary, options.synonyms, options.typed, options.words
        for path in filter(None, named):
            server.watch(path)
        found = [config.docs_dir, config.theme.custom_dir, config.config_file_path, *config.watch, *named]
        if any(_changed(Path(place)) > began for place in filter(None, found)):
            server.builder()

    def follow(self, server: LiveReloadServer, runner: Runner, labs: Labs) -> None:
        """Have the site built again, now and then, until all programs have run.

        MkDocs' server builds, and open pages load again, when a file changes that it watches.
        """
        server.watch(self.folder.name)
        began = time.monotonic()
        self.due = began + REST  # when the server listens

        def news(text: str) -> None:
            if not self.is_over:
                log.info(text)
                Path(self.folder.name, "news").write_text(text, encoding="utf-8")

        def last_news(text: str) -> None:
            """Tell it again until a build begins: what came before the server looked isn't a change."""
            builds = self.builds
            news(text)
            while not self.is_over and self.builds == builds:
                time.sleep(AGAIN)
                with suppress(FileNotFoundError):  # the server has ended meanwhile
                    os.utime(Path(self.folder.name, "news"))

        def progress(done: int, total: int, names: str) -> None:
            if time.monotonic() >= self.due:
                self.due = inf  # until it's built
                news(f"Programs: {done:,} of {total:,}")

        def wait() -> None:
            try:
                runner.results(progress)
                news("All snippets have run; labs are left")
                labs.may_run.set()
                labs.results()
            except CancelledError:  # the server ends
                pass
            finally:  # what went wrong, the next build says
                self.waits = True
            last_news(f"All programs have run, in {time.monotonic() - began:.0f} s")

        threading.Thread(target=wait, daemon=True).start()

    def build(self, build: Callable[[], None]) -> None:
        """Build the site again; what is wrong is told."""
        self.errors.begin()
        self.builds += 1
        began = time.monotonic()
        try:
            build()
        except (Problem, MkDocsException) as error:
            log.error(str(error))
        except Exception as error:
            traceback.print_exc()
            self.errors.add(f"{type(error).__name__}: {error}")
        finally:
            self.done()
            ended = time.monotonic()
            self.due = ended + max(REST, 2 * (ended - began))

    def end(self) -> None:
        """Listen no more."""
        self.is_over = True
        self.errors.end()
        self.folder.cleanup()

    def _said(self, language: str) -> str:
        """Return what lies over a page in a language."""
        if not self.errors.sentences:
            return ""
        try:
            said = words(self.options.words, language).page
        except Problem:  # in that file
            said = words(None, language).page
        return notices.overlay(said["problems"], self.errors.sentences)


def _changed(place: Path) -> float:
    """Return when a file, or the last of all in a folder, was written, in seconds since 1970."""
    return max((one.stat().st_mtime for one in (place, *place.rglob("*")) if one.is_file()), default=0.0)
