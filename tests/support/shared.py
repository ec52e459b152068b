"""What is made once in a session of tests, however many workers it has."""

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

Made = TypeVar("Made")
FOLDER = "WEAVER_TESTS"  # the variable in which the workers find the session's folder
HANG = 300  # seconds after which nothing will come any more


def folder() -> Path:
    """Return the folder that all workers of the session share."""
    return Path(os.environ[FOLDER])


def once(name: str, make: Callable[[Path], None]) -> Path:
    """Return the path `name` in the session's folder; the first who asks calls `make(path)`, others wait.

    What `make` raises, each worker that asks gets anew.
    """
    path, done = folder() / name, folder() / f"{name}.done"
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder() / f"{name}.lock", timeout=2 * HANG):
        if not done.exists():
            make(path)
            done.touch()
    return path


def kept(name: str, make: Callable[[], Made]) -> Made:
    """Return what `make()` gave to the first worker that asked for `name`."""
    path = once(name, lambda path: path.write_bytes(pickle.dumps(make())))
    return pickle.loads(path.read_bytes())
