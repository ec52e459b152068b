"""How far a build is: a bar on a terminal, elsewhere a line now and then; MkDocs' own lines corrected."""

import logging
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from weaver.mkdocs.private import BUILDS, ONCE
from weaver.problem import shown
from weaver.terminal import ProgressLine

SPARSE = 10.0  # seconds between two lines where there is no terminal
OFTEN = 0.1  # seconds between two drawings of the bar
WIDTH = 24  # characters of the bar
log = logging.getLogger("mkdocs.plugins.weaver")


@dataclass
class Phase:
    """A part of a build: how many of its steps are done."""

    name: str
    total: int
    done: int = 0
    began: float = field(default_factory=lambda: time.monotonic())

    def said(self) -> str:
        """Return how far it is, and how long the rest takes if that goes on like this."""
        text = f"{self.name}: {self.done:,} of {self.total:,}"
        passed = time.monotonic() - self.began
        if passed < 1 or not 0 < self.done < self.total:
            return text
        left = passed / self.done * (self.total - self.done)
        return f"{text}, about {f'{left / 60:.0f} min' if left > 90 else f'{max(left, 1):.0f} s'} left"


class Progress:
    """Tells how far each phase of a build is. One may begin within another, which goes on after it."""

    def __init__(self) -> None:
        self._phases: list[Phase] = []
        self._told, self._is_drawn = 0.0, False
        self._is_quiet, self._line = not log.isEnabledFor(logging.INFO), ProgressLine()
        self._wipe = Each(lambda record: self.wipe())  # the first of the handlers, before a line is logged

    def begin(self, name: str, total: int) -> None:
        """Begin a phase of so many steps."""
        if not self._phases:
            self._told = time.monotonic()
            logging.getLogger("mkdocs").handlers.insert(0, self._wipe)
        self._phases.append(Phase(name, total))
        self._tell()

    def step(self) -> None:
        """Count a step of the phase that began last, if there is one."""
        if self._phases:
            self.at(self._phases[-1].done + 1, self._phases[-1].total)

    def at(self, done: int, total: int, now: str = "") -> None:
        """Say how far the phase that began last is; `now` is what is at work."""
        self._phases[-1].done, self._phases[-1].total = done, total
        self._tell(now)

    def end(self) -> Phase | None:
        """End the phase that began last, if there is one, and return it."""
        if not self._phases:
            return None
        self.wipe()
        phase = self._phases.pop()
        if self._phases:  # which stood still meanwhile
            self._phases[-1].began += time.monotonic() - phase.began
        else:
            logging.getLogger("mkdocs").removeHandler(self._wipe)
        return phase

    def close(self) -> None:
        """End all phases: the build has ended."""
        while self.end():
            pass

    @contextmanager
    def phase(self, name: str, total: int) -> Iterator["Progress"]:
        """Begin a phase, and end it."""
        self.begin(name, total)
        try:
            yield self
        finally:
            self.end()

    def wipe(self) -> None:
        """Take the bar away, so that a line can be written there."""
        if self._is_drawn:
            self._line.say("")
            self._is_drawn = False

    def _tell(self, now: str = "") -> None:
        phase = self._phases[-1]
        waited = time.monotonic() - self._told
        if self._is_quiet or waited < (OFTEN if self._line.is_shown else SPARSE):
            return
        self._told = time.monotonic()
        if self._line.is_shown:
            filled = WIDTH * phase.done // max(phase.total, 1)
            text = f"{'█' * filled}{'░' * (WIDTH - filled)} {phase.said()}  {now}".rstrip()
            self._line.say(text[: shutil.get_terminal_size().columns - 1])
            self._is_drawn = True
        else:
            log.info(phase.said())


class Each(logging.Handler):
    """Calls a function with each record of a level or more."""

    def __init__(self, call: Callable[[logging.LogRecord], None], level: int = logging.NOTSET) -> None:
        super().__init__(level)
        self.call = call

    def emit(self, record: logging.LogRecord) -> None:
        """Call the function."""
        self.call(record)


class Lines(logging.Filter):
    """Has MkDocs name the folder that the site is for, not the one that it's built in, and that once."""

    def __init__(self, staged: str, site: Path, is_inner: Callable[[], bool]) -> None:
        super().__init__()
        self.staged, self.site, self.is_inner = staged, shown(site), is_inner
        BUILDS.addFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a line is shown, with the right folder."""
        record.msg = str(record.msg).replace(self.staged, self.site)
        return not (self.is_inner() and record.msg.startswith(ONCE))

    def close(self) -> None:
        """Have MkDocs write its lines as it does."""
        BUILDS.removeFilter(self)
