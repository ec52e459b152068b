"""Results on disk, under a key made of everything that can change them."""

import hashlib
import json
import os
import platform
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from weaver.result import Result
from weaver.snippet import Snippet

# The engine's sources that decide what a result is. What only shows it is left out.
DECIDING = (
    "snippet.py",
    "child.py",
    "process.py",
    "server.py",
    "graph/record.py",
    "graph/reach.py",
    "graph/asked.py",
    "graph/memory.py",
    "normalise.py",
    "result.py",
    "cache.py",
)


def fingerprint() -> str:
    """Return a digest of what any result depends on: engine, torch, NumPy, Python, processor."""
    digest = hashlib.sha256()
    folder = Path(__file__).parent
    for name in DECIDING:
        digest.update((folder / name).read_bytes())
    machine = sys.platform, platform.machine(), _processor()
    for fact in (version("torch"), version("numpy"), sys.version, *machine):
        digest.update(b"\0" + fact.encode())
    return digest.hexdigest()


@cache
def drawing() -> str:
    """Return a digest of what decides how a picture is drawn."""
    packages = [version(package) for package in ("pygraphviz", "resvg_py", "matplotlib")]
    digest = hashlib.sha256(json.dumps(packages).encode())
    folder = Path(__file__).parent
    for path in (folder / "markup.py", folder / "notebook.py", *sorted(folder.glob("graph/*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def version(package: str) -> str:
    """Return the version of an installed package, without importing it."""
    return metadata.version(package)


def _processor() -> str:
    """Return what the processor can do: torch picks its kernels by it, and last digits follow."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next((line for line in file if line.startswith(("flags", "Features"))), "")
    except OSError:
        return platform.processor()


class Cache:
    """A folder with a file per result. Many processes may use it at once."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.fingerprint = fingerprint()

    def key(self, snippet: Snippet, looks: tuple[str, ...], seed: int) -> str:
        """Return the key of the result of `snippet` with the values of `looks`."""
        facts = json.dumps([self.fingerprint, snippet.name, str(snippet.path), snippet.source, looks, seed])
        return hashlib.sha256(facts.encode()).hexdigest()

    def load(self, key: str) -> Result | None:
        """Return the result kept under `key`; None if there is none or it is damaged."""
        try:
            return Result.from_json(self.read(key))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def save(self, key: str, result: Result) -> None:
        """Keep `result` under `key`."""
        self.write(key, result.to_json())

    def keep(self, facts: list, make: Callable[[], str]) -> str:
        """Return what `make()` gave for these facts and these sources before, or gives now."""
        key = hashlib.sha256(json.dumps([self.fingerprint, drawing(), facts]).encode()).hexdigest()
        try:
            text = self.read(key)
        except (OSError, ValueError):
            text = make()
            with suppress(OSError):  # a full disk costs the cache, not the build
                self.write(key, text)
        return text

    def read(self, key: str) -> Any:
        """Return the data kept under `key`. Raises OSError if there is none, ValueError if it is damaged."""
        kept, data = (self.folder / key).read_bytes().split(b"\n", 1)
        if kept != _checksum(data):
            raise ValueError("damaged")
        return json.loads(data)

    def write(self, key: str, data: Any) -> None:
        """Keep plain data under `key`: wholly or, if the process is killed here, not at all."""
        data = json.dumps(data).encode()
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self.folder / f"{key}.{os.getpid()}"
        part.write_bytes(_checksum(data) + b"\n" + data)
        part.replace(self.folder / key)


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()
