"""Waiting for what is to come: on a slow machine it takes longer, and only a hang reaches the end."""

import time
from collections.abc import Callable
from typing import TypeVar

HANG = 300  # seconds after which nothing will come any more
Found = TypeVar("Found")


def wait_for(condition: Callable[[], Found], otherwise: Callable[[], object] = str) -> Found:
    """Return what `condition()` gives as soon as that is true; `otherwise()` says what is there instead."""
    end = time.monotonic() + HANG
    while not (found := condition()):
        assert time.monotonic() < end, otherwise()
        time.sleep(0.02)
    return found
