"""What the repository knows of the pages: the commit that is built, and when each file last changed."""

import logging
import os
import re
import signal
import subprocess
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

TOP = re.compile(rb"(true|false)\n(.+)\n([0-9a-f]{4,64})\n", re.DOTALL)
LIMIT = 300.0  # seconds: only a git that hangs takes longer
log = logging.getLogger("mkdocs.plugins.weaver")


@dataclass(frozen=True)
class History:
    """`commit` is the short name of the built commit, None without a repository; `dates` are by path."""

    commit: str | None = None
    dates: dict[Path, str] = field(default_factory=dict)

    def last_change(self, paths) -> str | None:
        """Return the latest date (`2026-11-20`) on which one of the files changed, None if none is known."""
        return max(
            (self.dates[path] for path in map(Path.resolve, paths) if path in self.dates), default=None
        )


def read(folder: Path) -> History:
    """Return the history of the repository that `folder` is in: none outside of one, or without git."""
    top = _git(folder, "rev-parse", "--is-shallow-repository", "--show-toplevel", "--short", "HEAD")
    found = TOP.fullmatch(top or b"")
    if not found:  # no repository, no commit, or a program of that name that isn't git
        return History()
    shallow, root, commit = found.groups()
    if shallow == b"true":  # its one commit would seem to have changed every file
        return History(commit.decode())
    return History(commit.decode(), _dates(folder, root, commit))


@lru_cache(maxsize=1)  # `mkdocs serve` asks after each edit
def _dates(folder, root, commit):
    """Return, as of a commit, the date of the last change of each file."""
    dates, date, before = {}, "", b"-"
    for entry in (_git(folder, "log", "-z", "--format=%x00%x00%cs", "--name-only") or b"").split(b"\0"):
        if entry and not before:
            date = entry.decode(errors="replace")
        elif entry:
            name = entry.removeprefix(b"\n")
            dates.setdefault(Path(os.fsdecode(os.path.join(root, name))), date)
        before = entry
    return dates


def _git(folder, *arguments):
    """Return what git prints; None if it cannot, or takes longer than LIMIT."""
    try:
        git = subprocess.Popen(
            ["git", *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None
    try:
        out, _ = git.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(git.pid, signal.SIGKILL) if hasattr(os, "killpg") else git.kill()
        log.warning(f"git took longer than {LIMIT} s and was stopped, so the pages have no dates")
        return None
    return None if git.returncode else out
