"""Work that a fork of the build does ahead on another core: all that it leaves is in the cache."""

import os
import signal
from collections.abc import Callable
from os import _exit as leave

from weaver.execution.launch import cores
from weaver.execution.snippets.supervision import die_with_parent, fork_is_safe


def is_possible() -> bool:
    """Tell whether a fork is safe, and a core is there for it."""
    return fork_is_safe() and cores() > 1


class Ahead:
    """A fork that calls `work()`. Its output is discarded: this process runs into the same errors."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._pid = os.fork()
        if not self._pid:
            try:
                die_with_parent()
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, 1)
                os.dup2(null, 2)
                work()
            finally:
                leave(0)

    def wait(self) -> None:
        """Wait until it has ended."""
        if self._pid:
            os.waitpid(self._pid, 0)
            self._pid = 0

    def end(self) -> None:
        """End it, unless it has."""
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
        self.wait()
