"""`mkdocs serve` after its first build: edits are put in or the whole is built; what went wrong is shown."""

import logging
import os
import shutil
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.exceptions import MkDocsException

from weaver.mkdocs import edits, notices
from weaver.mkdocs.edits import Served, WholeSite
from weaver.problem import Problem
from weaver.site.words import words

if TYPE_CHECKING:
    from weaver.mkdocs.plugin import WeaverPlugin

BEFORE = ".before"  # as MkDocs empties a folder, what is hidden stays
log = logging.getLogger("mkdocs.plugins.weaver")


class Preview:
    """The site of a plugin while it's served: nothing that a writer does ends the server."""

    def __init__(self, plugin: "WeaverPlugin"):
        self.plugin, self.errors = plugin, notices.Errors()
        self.errors.begin()
        self.site: Path | None = None

    def serve(self, server: Any, builder: Callable[[], None]) -> None:
        """Have MkDocs' server build by `build`, and show over its pages what went wrong.

        The server has not looked for edits during the first build: if there were some, it is built again.
        """
        if self.plugin.served:
            self.site = Path(self.plugin.served.gate.config.site_dir)
        server.builder = lambda: self.build(builder)
        notices.lay_over(server, self._said)
        if self.plugin.served and not self.plugin.served.is_current():
            server.builder()

    def build(self, whole: Callable[[], None]) -> None:
        """Put edits into what is served, or build the whole; what is wrong is told."""
        self.errors.begin()
        try:
            if not self._amend():
                with _restored(self.site) if self.site else nullcontext():
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
            log.debug(f"Rebuilding the whole site: {why}")
            return False
        finally:
            plugin.done()
        plugin.served = Served(gate, now)
        log.info(f"Pages rebuilt: {number}, in {time.monotonic() - began:.2f} s")
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


@contextmanager
def _restored(site: Path) -> Iterator[None]:
    """Put back what was served if a build fails, which may have emptied the folder."""
    with suppress(OSError):  # where files can't have two names, it isn't kept
        for path in _shown(site):
            if path.is_dir():
                shutil.copytree(path, site / BEFORE / path.name, copy_function=os.link)
            else:
                (site / BEFORE).mkdir(exist_ok=True)
                os.link(path, site / BEFORE / path.name)
    try:
        yield
    except BaseException:
        if (site / BEFORE).is_dir():
            for path in _shown(site):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            for path in (site / BEFORE).iterdir():
                path.rename(site / path.name)
        raise
    finally:
        shutil.rmtree(site / BEFORE, ignore_errors=True)


def _shown(site):
    return [path for path in site.iterdir() if not path.name.startswith(".")]
