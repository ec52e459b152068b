"""One build of a site folder at a time: two would remove each other's files."""

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows has no such lock: there, do not build into one folder twice at once
    fcntl = None  # type: ignore[assignment]


class Lock:
    """The right to write to `target`, kept as lock files in `folder`; it ends with the process.

    It holds for the folders in `target`, too: who writes to one of those shares the folders around it.
    """

    def __init__(self, folder: Path, target: str) -> None:
        self.folder, self.target = folder, Path(os.path.realpath(target))
        self.files: list[IO[str]] = []

    def acquire(self, waiting: Callable[[], None]) -> None:
        """Take the right; if another process has it, call `waiting` and wait until it ends."""
        if fcntl is None or self.files:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        for around in reversed(self.target.parents):
            self._take(around, fcntl.LOCK_SH, waiting)
        self._take(self.target, fcntl.LOCK_EX, waiting)

    def _take(self, path: Path, how: int, waiting: Callable[[], None]) -> None:
        name = sha256(os.fsencode(path)).hexdigest()[:16]
        file = (self.folder / f"{name}.lock").open("w")
        self.files.append(file)
        try:
            fcntl.flock(file, how | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(file, how)

    def release(self) -> None:
        """Give the right back, if we have it."""
        while self.files:
            self.files.pop().close()
