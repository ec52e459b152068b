"""What ends a build: a signal, or an error, of which a sentence is said where that is enough."""

import errno
import signal
import sys
import threading
import traceback
from pathlib import Path

from jinja2 import TemplateError

from weaver.problem import Problem, shown

# a full disk, a file or quota that is too large, a disk that fails or cannot be written
NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO, errno.EROFS)


def sentence(error: Exception) -> str | None:
    """Return what is wrong, where, and what to do; None if only a traceback tells that."""
    if isinstance(error, Problem):
        return str(error)
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return f"the site can't be written: {error}. The previous site is unchanged."
    if isinstance(error, TemplateError):
        frames = traceback.extract_tb(error.__traceback__)
        [*_, last] = [one for one in frames if not one.filename.endswith(".py")] or frames
        place = f"{shown(Path(last.filename))}:{last.lineno}"
        return f"{place}: the template can't be rendered: {error}. Fix it."
    return None


def end_on_signals() -> None:
    """Have what asks the process to end do so as Ctrl-C does: all that runs is ended, and nothing is left."""
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):  # Windows has only the first
                signal.signal(getattr(signal, name), _leave)


def _leave(number: int, frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)
