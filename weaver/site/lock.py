"""One build of a site folder at a time: two would remove each other's files."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has no such lock: there, do not build into one folder twice at once
    fcntl = None


class Lock:
    """The right to write to `target`, kept as a lock file in `folder`; it ends with the process."""

    def __init__(self, folder: Path, target: str):
        self.path = folder / f"{sha256(target.encode()).hexdigest()[:16]}.lock"
        self.file = None

    def acquire(self, waiting: Callable[[], None]) -> None:
        """Take the right; if another process has it, call `waiting` once and wait until it ends."""
        if fcntl is None or self.file:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.file = self.path.open("w")
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(self.file, fcntl.LOCK_EX)

    def release(self) -> None:
        """Give the right back, if we have it."""
        if self.file:
            self.file.close()
            self.file = None
