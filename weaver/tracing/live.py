"""What a traced program prints, shown while it runs: on our stdout and stderr, as it was on its own.

What Python writes to `sys.stderr` is told apart; whatever else is printed, as by a child process, goes to
stdout.
"""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import BinaryIO, Self

TICK = 0.03  # seconds between two looks at the output
MOST = 1 << 20  # bytes that are copied at once


class LiveOutput:
    """Copies the output in a folder to our own streams, from `start` to `close` or the end of the context."""

    def __init__(self, folder: Path):
        self._output, self._errors = folder / "output", folder / "errors"
        self._at = 0  # bytes that are copied
        self._is_within_line = False  # on a terminal
        self._has_ended = Event()
        self._thread = Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def start(self) -> None:
        """Copy from now on what is printed."""
        self._thread.start()

    def close(self) -> None:
        """Copy the rest, and end the last line where the terminal is to show something of ours after it."""
        self._has_ended.set()
        if self._thread.is_alive():
            self._thread.join()
        self._copy()
        if self._is_within_line and sys.stderr is not None and sys.stderr.isatty():
            with suppress(OSError):
                sys.stderr.write("\n")
                sys.stderr.flush()
            self._is_within_line = False

    def _follow(self) -> None:
        while not self._has_ended.wait(TICK):
            self._copy()

    def _copy(self) -> None:
        """Copy what's new. What goes to stderr was noted before it was written, so it's known by now."""
        with suppress(OSError, ValueError):
            size = self._output.stat().st_size
            if size == self._at:
                return
            spans = list(self._noted())
            with self._output.open("rb") as file:
                while self._at < size:
                    start, end, stream = self._part(size, spans)
                    file.seek(start)
                    self._at = end
                    part = file.read(end - start)
                    stream.write(part)
                    stream.flush()
                    if stream.isatty():
                        self._is_within_line = not part.endswith(b"\n")

    def _noted(self) -> Iterator[tuple[int, int]]:
        """Yield the spans of the output that went to stderr."""
        for line in self._errors.read_bytes().splitlines() if self._errors.exists() else ():
            start, end = map(int, line.split())
            yield start, end

    def _part(self, size: int, spans: list[tuple[int, int]]) -> tuple[int, int, BinaryIO]:
        """Return the next part to copy: where it starts and ends, and to what."""
        most = min(size, self._at + MOST)
        for start, end in spans:
            if start <= self._at < end:
                return self._at, min(end, most), sys.stderr.buffer
            if self._at < start < most:
                return self._at, start, sys.stdout.buffer
        return self._at, most, sys.stdout.buffer
