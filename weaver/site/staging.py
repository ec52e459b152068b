"""The folder that the site is in: a build appears there whole, or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from weaver.execution.scratch import scratch
from weaver.problem import Problem, shown

# Writes what a function returns to a path of the site, unless that was written before of the same
Write = Callable[[str, Any, Callable[[], bytes]], None]
MADE_BY_A_BUILD = ("sitemap.xml", "404.html", "llms.txt")  # one of these is in every site


class Staging:
    """The site's folder `site`, and another, `folder`, that it is built in meanwhile.

    What `before` wrote of the same isn't written again, but linked. Raises Problem if there is no room.
    """

    def __init__(self, site: Path, cache: Path, before: Staging | None = None) -> None:
        self.site = site
        self._before, self._written = before, dict[str, Any]()
        self._open = ExitStack()
        try:
            self.folder = self._open.enter_context(scratch(cache)) / "site"
            self.folder.mkdir()
        except OSError as error:
            raise Problem(f"there isn't enough disk space for the build: {error}. Free some.") from None

    def write(self, path: str, made_of: Any, make: Callable[[], bytes]) -> None:
        """Write what `make()` gives to `path` in the folder, unless the last build did so of the same.

        `made_of` is None if that isn't known.
        """
        self._written[path] = made_of
        is_same = made_of is not None and self._before and self._before._written.get(path) == made_of
        if not (is_same and self.again(path)):
            write(self.folder, path, made_of, make)

    def again(self, path: str) -> bool:
        """Put what the last build wrote to `path` there again; tell whether that could be done."""
        if not self._before:
            return False
        new, old = os.path.join(self.folder, path), os.path.join(self._before.folder, path)
        try:
            try:
                os.link(old, new)
            except FileNotFoundError:
                os.makedirs(os.path.dirname(new), exist_ok=True)
                os.link(old, new)
        except OSError:
            return False
        return True

    def serve(self) -> None:
        """Have the site's place lead to what was built, which stays until it is discarded."""
        self._before = None
        link = self.site.with_name(f"{self.site.name}.next")
        try:
            link.unlink(missing_ok=True)
            link.symlink_to(self.folder)
        except OSError:  # a system without links for everyone
            self._move()
            self.folder = self.site
            return
        if self.site.is_dir() and not self.site.is_symlink():
            shutil.rmtree(self.site)  # MkDocs' own, for what is served
        link.replace(self.site)

    def appear(self) -> None:
        """Put what was built in the site's place. Raises Problem if that can't be written."""
        try:
            for path in _entries(self.site):
                if path.name.startswith("."):  # as MkDocs: what is hidden, such as `.git`, is its owner's
                    _copy(path, self.folder / path.name)
            if self.site.is_dir():
                shutil.copymode(self.site, self.folder)
            self.site.parent.mkdir(parents=True, exist_ok=True)
            self._move()
        except OSError as error:
            raise Problem(
                f"the site can't be written to {shown(self.site)}: {error}. Set `site_dir` to a "
                "writable folder."
            ) from None
        finally:
            self.discard()

    def _move(self) -> None:
        """Let the folders change places; file by file where they can't."""
        old = self.folder.with_name("old")
        try:
            if self.site.exists():
                self.site.rename(old)
            self.folder.rename(self.site)
        except OSError:  # another disk, or a folder that has to stay, such as a mounted one
            if old.exists():
                old.rename(self.site)
            _renew(self.site, self.folder)
        finally:
            if old.exists() and not self.site.exists():  # interrupted
                old.rename(self.site)

    def discard(self) -> None:
        """Forget what was built, if it has not appeared, and what it took the place of."""
        if self.site.is_symlink() and self.site.resolve() == self.folder.resolve():
            self.site.unlink()
        self._open.close()


def write(folder: Path, path: str, made_of: Any, make: Callable[[], bytes]) -> None:
    """Write what `make()` gives to `path` in a folder of which nothing is known."""
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(make())


def check(site: Path, sources: Mapping[str, Path]) -> Path:
    """Return the folder that `site` is. Raises Problem if a build must not replace it.

    `sources` are the folders and files that the site is made of, by what they are: `docs_dir`, ...
    """
    site = Path(os.path.realpath(site))
    for name, source in sources.items():
        path = Path(os.path.realpath(source))
        if path.is_relative_to(site) or (site.is_relative_to(path) and name != "the project"):
            raise Problem(
                f"`site_dir` is {shown(site)}, but {name}, {shown(path)}, is inside it, and a build "
                "replaces that folder. Set it to a separate folder, such as `site`."
            )
    if site.exists() and not site.is_dir():
        raise Problem(f"`site_dir` is {shown(site)}, which is a file. Set it to a folder.")
    held = sorted(path.name for path in _entries(site) if not path.name.startswith("."))
    if held and not set(held) & set(MADE_BY_A_BUILD):
        raise Problem(
            f"`site_dir` is {shown(site)}, which contains files that no build created, such as "
            f"`{held[0]}`, and a build replaces that folder. Empty it, or set another."
        )
    return site


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _renew(site: Path, new: Path) -> None:
    """Make `site` hold what `new` holds, and nothing else."""
    for path in sorted(site.rglob("*"), reverse=True):
        other = new / path.relative_to(site)
        if not other.exists() or other.is_dir() != path.is_dir():
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    shutil.copytree(new, site, dirs_exist_ok=True)


def _copy(path: Path, target: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.copytree(path, target, symlinks=True, dirs_exist_ok=True)
    else:
        shutil.copy2(path, target, follow_symlinks=False)
