"""What the repository knows of the pages: the commit that is built, and when each file last changed."""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path


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
    top = _git(folder, "rev-parse", "--show-toplevel", "--short", "HEAD")
    if top is None:
        return History()
    root, commit = top.split()
    dates = {}
    for line in (
        _git(folder, "-c", "core.quotepath=off", "log", "--format=%x00%cs", "--name-only") or ""
    ).splitlines():
        if line.startswith("\0"):
            date = line[1:]
        elif line:
            dates.setdefault(Path(root, line), date)
    return History(commit, dates)


def _git(folder, *arguments):
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8"
        )
    except OSError:
        return None
    return None if done.returncode else done.stdout
