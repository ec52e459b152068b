"""The file that all that a program prints goes to, read by its path: a descriptor the program could close."""

from os import O_RDONLY, stat
from os import close as close_file
from os import open as open_file
from os import pread as read_at

from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401

SHOWN = 20_000  # bytes of the longest text that one step printed, or those left out in one place


class Output:
    """What a program has printed, by its bytes, in the file at `path`."""

    def __init__(self, path: str):
        self.path = path

    def size(self) -> int:
        """Return how many bytes have been printed."""
        return stat(self.path).st_size

    def between(self, start: int, end: int | None = None) -> str:
        """Return what was printed from byte `start` to `end`; of a long text, without its middle."""
        size = self.size()
        end = size if end is None else min(end, size)
        if end - start <= SHOWN:
            return self.read(start, end)
        half = SHOWN // 2
        return f"{self.read(start, start + half)}[… {end - start - SHOWN} …]{self.read(end - half, end)}"

    def read(self, start: int, end: int) -> str:
        """Return all that was printed from byte `start` to `end`."""
        file = open_file(self.path, O_RDONLY)
        try:
            return read_at(file, max(end - start, 0), start).decode("utf-8", errors="replace")
        finally:
            close_file(file)
