"""One line on a terminal about what is being done."""

import sys
from contextlib import suppress
from typing import Self


class ProgressLine:
    """One line on a terminal about what is being done; nothing if stderr isn't a terminal.

    While a program runs, the terminal is its own.
    """

    def __init__(self) -> None:
        self.is_shown = sys.stderr is not None and sys.stderr.isatty()

    def say(self, text: str) -> None:
        """Show a text instead of the one before."""
        if self.is_shown:
            with suppress(OSError):
                sys.stderr.write(f"\r\x1b[K{text}")
                sys.stderr.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.say("")
