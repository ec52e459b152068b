"""What is kept on disk, under keys made of everything that can change it: right or empty, never wrong."""

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, overload

import msgspec

Kept = TypeVar("Kept")


def key(*facts: Any) -> str:
    """Return the key of what depends on `facts`, plain data, and on nothing else."""
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


class Cache:
    """A folder with a file per entry. Many processes may use it at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._used: set[str] = set()  # keys, since the last sweep

    def read(self, key: str) -> bytes | None:
        """Return what is kept under `key`; None if there is nothing, or it is damaged."""
        try:
            checksum, data = (self.folder / key).read_bytes().split(b"\n", 1)
        except (OSError, ValueError):
            return None
        self._used.add(key)
        return data if checksum == _checksum(data) else None

    def message(self, key: str, kind: type[Kept]) -> Kept | None:
        """Return the value of that type that is kept under `key`; None if there is none."""
        data = self.read(key)
        try:
            return None if data is None else msgspec.json.decode(data, type=kind)
        except ValueError:  # forged, or another version's
            return None

    def write(self, key: str, data: bytes) -> None:
        """Keep `data` under `key`: wholly or, if this process or the disk fails meanwhile, not at all."""
        self._used.add(key)
        with suppress(OSError):  # a full disk costs the cache, not the build
            self.folder.mkdir(parents=True, exist_ok=True)
            part = self.folder / f"{key}.{os.getpid()}"
            try:
                part.write_bytes(_checksum(data) + b"\n" + data)
                part.replace(self.folder / key)
            finally:
                part.unlink(missing_ok=True)

    @overload
    def keep(self, key: str, make: Callable[[], str]) -> str: ...

    @overload
    def keep(self, key: str, make: Callable[[], Kept], kind: type[Kept]) -> Kept: ...

    def keep(self, key: str, make: Callable[[], Any], kind: type[Any] = str) -> Any:
        """Return the value of a type that is kept under `key`, or else what `make()` gives, and keep it."""
        found = self.message(key, kind)
        if found is None:
            found = make()
            self.write(key, msgspec.json.encode(found))
        return found

    def sweep(self) -> None:
        """Remove every entry that was neither read nor written since the last sweep."""
        with suppress(OSError):
            for file in self.folder.iterdir():
                if file.name not in self._used:
                    file.unlink(missing_ok=True)
        self._used.clear()


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()
