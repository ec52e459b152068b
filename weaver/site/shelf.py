"""Files of a served site that stay from one build to the next: only what changed is written."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Shelf:
    """The folder `name` of a site. MkDocs empties a site before it builds it, but for what is hidden.

    A shelf that is new writes everything.
    """

    def __init__(self, name: str):
        self.name = name
        self._held: dict[str, Any] = {}  # path -> what the file was made of
        self._put: dict[str, Any] = {}

    def hide(self, site: Path) -> None:
        """Keep the folder from what empties the site."""
        if self._held and (site / self.name).is_dir():
            shutil.rmtree(site / f".{self.name}", ignore_errors=True)
            (site / self.name).rename(site / f".{self.name}")

    def show(self, site: Path) -> None:
        """Put it back, if it is there."""
        self.folder = site / self.name
        if self._held and (site / f".{self.name}").is_dir():
            shutil.rmtree(self.folder, ignore_errors=True)
            (site / f".{self.name}").rename(self.folder)
        else:
            self._held = {}

    def put(self, path: str, made_of: Any, make: Callable[[], bytes]) -> None:
        """Write what `make()` gives to `path` in the folder, unless it was written of the same."""
        if path not in self._held or self._held[path] != made_of:
            self._held.pop(path, None)
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(make())
        self._put[path] = made_of

    def finish(self) -> None:
        """Remove what was not put this time."""
        for path in self._held.keys() - self._put.keys():
            (self.folder / path).unlink(missing_ok=True)
        self._held, self._put = self._put, {}
