"""What a traced program prints, shown while it runs: on our stdout and stderr, as it was on its own."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import BinaryIO, Self

TICK = 0.03  # seconds between two looks at the output
MOST = 1 << 20  # bytes that are copied at once


class LiveOutput:
    """Copies the output in a folder to our own streams until it's left as a context."""

    def __init__(self, folder: Path):
        self._output, self._errors = folder / "output", folder / "errors"
        self._at = 0  # bytes that are copied
        self._has_ended = Event()
        self._thread = Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._has_ended.set()
        self._thread.join()

    def _follow(self) -> None:
        while not self._has_ended.wait(TICK):
            self._copy()
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
                    stream.write(file.read(end - start))
                    stream.flush()

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
