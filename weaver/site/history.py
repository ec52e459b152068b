"""What the repository knows of the pages: the commit that is built, and when each file last changed."""

import logging
import os
import re
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from weaver.execution.cache import Cache, key

TOP = re.compile(rb"(true|false)\n(.+)\n([0-9a-f]{4,64})\n", re.DOTALL)
LIMIT = 300.0  # seconds: only a git that hangs takes longer
log = logging.getLogger("mkdocs.plugins.weaver")


@dataclass(frozen=True)
class History:
    """`commit` is the short name of the built commit, None without a repository; `dates` are by path."""

    commit: str | None = None
    dates: dict[str, str] = field(default_factory=dict)

    def last_change(self, paths: Iterable[Path]) -> str | None:
        """Return the latest date (`2026-11-20`) on which one of the files changed, None if none is known."""
        return max(filter(None, (self.dates.get(os.path.realpath(path)) for path in paths)), default=None)


def read(folder: Path, cache: Cache) -> History:
    """Return the history of the repository that `folder` is in: none outside of one, or without git."""
    top = _git(folder, "rev-parse", "--is-shallow-repository", "--show-toplevel", "--short", "HEAD")
    found = TOP.fullmatch(top or b"")
    if not found:  # no repository, no commit, or a program of that name that isn't git
        return History()
    shallow, root, commit = found.groups()
    if shallow == b"true":  # its one commit would seem to have changed every file
        return History(commit.decode())
    known = key("history", os.fsdecode(root), commit.decode())
    dates = cache.message(known, dict[str, str])
    if dates is None:
        listed = _git(folder, "log", "-z", "--format=%x00%x00%cs", "--name-only")
        dates = _dates(root, listed or b"")
        if listed is not None:
            cache.write(known, msgspec.json.encode(dates))
    return History(commit.decode(), dates)


def _dates(root: bytes, listed: bytes) -> dict[str, str]:
    """Return the date of the last change of each file, by its path."""
    dates: dict[str, str] = {}
    date, before = "", b"-"
    for entry in listed.split(b"\0"):
        if entry and not before:
            date = entry.decode(errors="replace")
        elif entry:
            name = entry.removeprefix(b"\n")
            with suppress(UnicodeDecodeError):  # no page or program has such a name
                dates.setdefault(os.path.join(root, name).decode(), date)
        before = entry
    return dates


def _git(folder: Path, *arguments: str) -> bytes | None:
    """Return what git prints; None if it cannot, or takes longer than LIMIT."""
    try:
        git = subprocess.run(
            ["git", *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT
        )
    except OSError:
        return None
    except subprocess.TimeoutExpired:
        log.warning(f"git took longer than {LIMIT} s and was stopped, so the pages have no dates")
        return None
    return None if git.returncode else git.stdout
