"""Folders that live as long as a run: in the cache, where the next removes what a killed one left."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":  # which has no such lock: there, what a killed run left stays
    import fcntl


@contextmanager
def scratch(cache: Path | None) -> Iterator[Path]:
    """Give an empty folder: in `cache`, or where the system has its own if there is none to write to.

    Raises OSError if there is no place at all.
    """
    folder, held = _made(cache)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if held is not None:
            os.close(held)


def _made(cache: Path | None) -> tuple[Path, int | None]:
    """Return a new folder, and what holds its lock for as long as this process lives."""
    if cache and sys.platform != "win32":
        with suppress(OSError):
            home = cache / "runs"
            home.mkdir(parents=True, exist_ok=True)
            guard = _locked(home)  # none is made while another is swept
            try:
                _sweep(home)
                folder = Path(tempfile.mkdtemp(dir=home.resolve()))
                return folder, _locked(folder)
            finally:
                os.close(guard)
    return Path(tempfile.mkdtemp(prefix="weaver-")), None


def _sweep(home: Path) -> None:
    """Remove the folders whose process is gone."""
    for folder in home.iterdir():
        with suppress(OSError):
            os.close(_locked(folder, fcntl.LOCK_NB))
            shutil.rmtree(folder, ignore_errors=True)


def _locked(folder: Path, how: int = 0) -> int:
    """Return a descriptor that holds a folder's lock. With `LOCK_NB`, raises OSError if another does."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | how)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
