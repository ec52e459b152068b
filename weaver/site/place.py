"""The folder that the site is in: a build appears there whole, or not at all."""

import ctypes
import os
import shutil
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from weaver.execution.scratch import scratch
from weaver.problem import Problem, shown

MADE_BY_A_BUILD = ("sitemap.xml", "404.html", "llms.txt")  # one of these is in every site
HERE, EXCHANGE = -100, 2  # of renameat2: paths from the working directory, both change places


class Place:
    """The site's folder `site`, and another, `staged`, that it is built in meanwhile.

    `sources` are the folders and files that the site is made of, by what they are: `docs_dir`, ...
    Raises Problem if the site would overwrite one, or what no build made.
    """

    def __init__(self, site: Path, cache: Path, sources: Mapping[str, Path]):
        self.site = Path(os.path.realpath(site))
        self._check(sources)
        self._open = ExitStack()
        try:
            self.staged = self._open.enter_context(scratch(cache)) / "site"
            self.staged.mkdir()
        except OSError as error:
            raise Problem(f"there isn't enough disk space for the build: {error}. Free some.") from None

    def _check(self, sources):
        for name, source in sources.items():
            path = Path(os.path.realpath(source))
            if path.is_relative_to(self.site) or (self.site.is_relative_to(path) and name != "the project"):
                raise Problem(
                    f"`site_dir` is {shown(self.site)}, but {name}, {shown(path)}, is inside it, and a build "
                    "replaces that folder. Set it to a separate folder, such as `site`."
                )
        if self.site.exists() and not self.site.is_dir():
            raise Problem(f"`site_dir` is {shown(self.site)}, which is a file. Set it to a folder.")
        held = sorted(path.name for path in self._entries() if not path.name.startswith("."))
        if held and not set(held) & set(MADE_BY_A_BUILD):
            raise Problem(
                f"`site_dir` is {shown(self.site)}, which contains files that no build created, such as "
                f"`{held[0]}`, and a build replaces that folder. Empty it, or set another."
            )

    def _entries(self):
        return list(self.site.iterdir()) if self.site.is_dir() else []

    def appear(self) -> None:
        """Put what was built in the site's place. Raises Problem if that cannot be written."""
        try:
            for path in self._entries():
                if path.name.startswith("."):  # as MkDocs: what is hidden, such as `.git`, is its owner's
                    _copy(path, self.staged / path.name)
            if self.site.is_dir():
                shutil.copymode(self.site, self.staged)
            self.site.parent.mkdir(parents=True, exist_ok=True)
            try:
                _put(self.staged, self.site)
            except OSError:
                self._from_afar()
        except OSError as error:
            raise Problem(
                f"the site can't be written to {shown(self.site)}: {error}. Set `site_dir` to a "
                "writable folder."
            ) from None
        finally:
            self.discard()

    def _from_afar(self):
        """Put it in place from another disk; or, where the folder itself has to stay, file by file."""
        near = self.site.with_name(f".{self.site.name}.part")
        try:
            shutil.rmtree(near, ignore_errors=True)
            shutil.copytree(self.staged, near, symlinks=True)
            _put(near, self.site)
        except OSError:
            _renew(self.site, self.staged)
        finally:
            shutil.rmtree(near, ignore_errors=True)

    def discard(self) -> None:
        """Forget what was built, if it has not appeared, and what it took the place of."""
        self._open.close()


def _put(new, site):
    """Put the folder `new` in the place of `site`, in one step where the system can; the old goes there."""
    if not site.exists():
        new.rename(site)
        return
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.renameat2(HERE, os.fsencode(new), HERE, os.fsencode(site), EXCHANGE) == 0:
            return
    old = new.with_name(f"{new.name}.old")
    site.rename(old)
    new.rename(site)
    shutil.rmtree(old, ignore_errors=True)


def _renew(site, new):
    """Make `site` hold what `new` holds: first all files that are to be there, then without the others."""
    for path in sorted(new.rglob("*")):
        target = site / path.relative_to(new)
        if path.is_dir():
            if not target.is_dir():
                target.unlink(missing_ok=True)
                target.mkdir()
        else:
            if target.is_dir():
                shutil.rmtree(target)
            shutil.copyfile(path, target)
    for path in sorted(site.rglob("*"), reverse=True):
        if not (new / path.relative_to(site)).exists():
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def _copy(path, target):
    if path.is_dir() and not path.is_symlink():
        shutil.copytree(path, target, symlinks=True, dirs_exist_ok=True)
    else:
        shutil.copy2(path, target, follow_symlinks=False)
