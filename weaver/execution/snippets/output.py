"""What a program prints: its stdout and stderr, which note the line that each write came from."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from weaver.execution.protocol import Write


class LineTaggedStream(io.FileIO):
    """The raw stdout or stderr that notes which line of the program wrote which bytes."""

    def __init__(self, descriptor: int, kind: str, program: str, writes: list[Write]):
        super().__init__(descriptor, "w", closefd=False)
        self.kind, self.program, self.writes = kind, program, writes

    def write(self, data: Any) -> int:
        start = os.fstat(self.fileno()).st_size
        written = super().write(data)
        self.writes.append(Write(start, start + written, self._line(), self.kind))
        return written

    def _line(self) -> int | None:
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename != self.program:
            frame = frame.f_back
        return frame and frame.f_lineno


def stream(descriptor: int, kind: str, program: str, writes: list[Write]) -> io.TextIOWrapper:
    """Return a text stream on `descriptor` as `python -u` makes it: every write reaches the file."""
    errors = "backslashreplace" if kind == "err" else "strict"
    raw = LineTaggedStream(descriptor, kind, program, writes)
    stream = io.TextIOWrapper(raw, "utf-8", errors, newline="\n", write_through=True)
    stream.mode = "w"  # type: ignore[misc]  # as Python does it itself
    return stream


@contextmanager
def unheard(writes: list[Write]) -> Iterator[None]:
    """Keep what is written meanwhile out of the output."""
    count, kept = len(writes), [os.dup(1), os.dup(2)]
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    try:
        yield
    finally:
        for descriptor, copy in enumerate(kept, 1):
            os.dup2(copy, descriptor)
        del writes[count:]
