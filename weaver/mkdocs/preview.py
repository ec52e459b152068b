"""`mkdocs serve` after its first build: edits are put in or the whole is built; what went wrong is shown."""

import logging
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.exceptions import MkDocsException

from weaver.mkdocs import edits, notices
from weaver.mkdocs.edits import Served, WholeSite
from weaver.problem import Problem
from weaver.site.words import words

if TYPE_CHECKING:
    from weaver.mkdocs.plugin import WeaverPlugin

log = logging.getLogger("mkdocs.plugins.weaver")


class Preview:
    """The site of a plugin while it's served: nothing that a writer does ends the server."""

    def __init__(self, plugin: "WeaverPlugin"):
        self.plugin, self.errors = plugin, notices.Errors()
        self.errors.begin()

    def serve(self, server: Any, builder: Callable[[], None]) -> None:
        """Have MkDocs' server build by `build`, and show over its pages what went wrong.

        The server has not looked for edits during the first build: if there were some, it is built again.
        """
        server.builder = lambda: self.build(builder)
        notices.lay_over(server, self._said)
        if self.plugin.served and not self.plugin.served.is_current():
            server.builder()

    def build(self, whole: Callable[[], None]) -> None:
        """Put edits into what is served, or build the whole; what is wrong is told."""
        self.errors.begin()
        try:
            if not self._amend():
                whole()
        except (Problem, MkDocsException) as error:
            log.error(str(error))
        except Exception as error:
            traceback.print_exc()
            self.errors.add(f"{type(error).__name__}: {error}")
        finally:
            self.plugin.done()

    def _amend(self) -> bool:
        """Put edits into what is served; return whether that could be done. Raises Problem."""
        plugin, before = self.plugin, self.plugin.served
        if not before or not before.takes_edits():
            return False
        began, now = time.monotonic(), before.stamps_now()
        try:
            plugin.gate = gate = before.edited(now)
            plugin.served = None
            number = edits.amend(before.gate, gate)
        except WholeSite as why:
            log.debug(f"The whole site is built: {why}")
            return False
        finally:
            plugin.done()
        plugin.served = Served(gate, now)
        log.info(f"{number} pages made again in {time.monotonic() - began:.2f} seconds")
        return True

    def _said(self, language: str) -> str:
        """Return what lies over a page in a language."""
        if not self.errors.sentences:
            return ""
        folder = self.plugin.config.words
        try:
            said = words(folder and Path(folder), language).page
        except Problem:  # in that file
            said = words(None, language).page
        return notices.overlay(said["problems"], self.errors.sentences)
