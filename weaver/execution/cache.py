"""What is kept on disk, under keys made of everything that can change it: right or empty, never wrong."""

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from weaver.execution import protocol

Kept = TypeVar("Kept")


def key(*facts: Any) -> str:
    """Return the key of what depends on `facts`, plain data, and on nothing else."""
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


class Cache:
    """A folder with a file per entry: bytes. Many processes may use it at once."""

    def __init__(self, folder: Path):
        self.folder = folder

    def read(self, key: str) -> bytes | None:
        """Return what is kept under `key`; None if there is nothing, or it is damaged."""
        try:
            checksum, data = (self.folder / key).read_bytes().split(b"\n", 1)
        except (OSError, ValueError):
            return None
        return data if checksum == _checksum(data) else None

    def message(self, key: str, kind: type[Kept]) -> Kept | None:
        """Return the message of that kind that is kept under `key`; None if there is none."""
        data = self.read(key)
        try:
            return None if data is None else protocol.read(data, kind)
        except ValueError:  # forged, or another version's
            return None

    def write(self, key: str, data: bytes) -> None:
        """Keep `data` under `key`: wholly or, if this process or the disk fails meanwhile, not at all."""
        with suppress(OSError):  # a full disk costs the cache, not the build
            self.folder.mkdir(parents=True, exist_ok=True)
            part = self.folder / f"{key}.{os.getpid()}"
            try:
                part.write_bytes(_checksum(data) + b"\n" + data)
                part.replace(self.folder / key)
            finally:
                part.unlink(missing_ok=True)

    def keep(self, key: str, make: Callable[[], str]) -> str:
        """Return the text that is kept under `key`, or else what `make()` gives, and keep it."""
        with suppress(AttributeError, UnicodeDecodeError):  # there is none, or it is no text
            return self.read(key).decode()
        text = make()
        self.write(key, text.encode())
        return text


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()
