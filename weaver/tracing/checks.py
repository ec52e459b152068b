"""What `weaver trace` and `%%trace` are asked for: checked, with a sentence about what can't be."""

import math
import os
import re
import stat
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

from weaver.player.words import ENGLISH
from weaver.problem import Problem, shown
from weaver.recording.limits import MOST_STEPS, PLACE, Limits
from weaver.why.words import ENGLISH as FINDINGS

if TYPE_CHECKING:
    from weaver.site.words import Words

LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*")
ALLOWED = {"steps": (4, MOST_STEPS), "elements": (1, 10_000), "bytes": (1, 1 << 30), "looks": (1, 1 << 40)}


def language(path: Path | None) -> tuple[str, Mapping[str, str]]:
    """Return the language of a file such as `words/ko.yml`, and the player's words in it.

    Raises Problem for a file that isn't one.
    """
    return (path.stem, _words(path).trace) if path else ("en", ENGLISH)


def finding_words(path: Path | None) -> Mapping[str, str]:
    """Return the sentences about findings, in the language of a file such as `words/ko.yml`.

    Raises Problem for a file that isn't one.
    """
    return _words(path).why if path else FINDINGS


def _words(path: Path) -> "Words":
    if not path.is_file():
        raise Problem(f"There's no words file {shown(path)}. Name one, such as words/ko.yml.")
    if path.suffix != ".yml" or not LANGUAGE.fullmatch(path.stem):
        raise Problem(f"{shown(path)} isn't named after a language. Rename it like words/ko.yml.")
    from weaver.site.words import words  # loads YAML, which most runs don't need

    return words(path.parent, path.stem)


def checked_limits(limits: Limits) -> Limits:
    """Return the limits of a trace. Raises Problem for one that can't be."""
    for name, (least, most) in ALLOWED.items():
        value = getattr(limits, name)
        if value is not None and not least <= value <= most:
            raise Problem(f"`--{name}` must be a number from {least:,} to {most:,}, not {value:,}.")
    if not 0 < limits.seconds < math.inf:
        raise Problem(f"`--seconds` must be a positive number of seconds, not `{limits.seconds:g}`.")
    for name, said in (("from", limits.start), ("to", limits.end)):
        if said and not PLACE.fullmatch(said):
            wanted = "a line (`120`), a function (`train_step`) or one of its calls (`train_step@3`)"
            raise Problem(f"`--{name} {said}` must be {wanted}.")
    return limits


def find_included(name: str) -> Path:
    """Return a file or folder by its path, or by the name of the module or package that it is."""
    path = Path(name)
    if path.exists():
        return path
    found = _spec(name)
    if found and found.submodule_search_locations:
        return Path(found.submodule_search_locations[0])
    return _file(name, found)


def find_module(module: str) -> tuple[str, Path]:
    """Return the name and file of a module, or of a package's `__main__`, without running anything of it.

    Raises Problem if there's none.
    """
    name, found = module, _spec(module)
    if found and found.submodule_search_locations:
        name = f"{module}.__main__"
        found = _spec(name)
    return name, _file(module, found)


def _spec(module: str) -> ModuleSpec | None:
    """Return where a module or package is found, None for nowhere."""
    folders: Sequence[str] | None = [os.getcwd(), *sys.path]
    found = None
    for part in module.split("."):
        found = None if folders is None else PathFinder.find_spec(part, folders)
        folders = found.submodule_search_locations if found else None
    return found


def _file(module: str, found: ModuleSpec | None) -> Path:
    if not (found and found.origin and found.origin.endswith(".py")):
        raise Problem(f"There's no module `{module}` here. Change to the folder that holds it.")
    return Path(found.origin)


def checked_folder() -> None:
    """Raise Problem where the working directory is gone: torch's libraries can't be loaded there."""
    try:
        os.getcwd()
    except OSError:
        raise Problem("The working directory is gone. Change to one that exists.") from None


def checked_input(path: Path) -> None:
    """Raise Problem for a program that can't be read, and read again."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise Problem(f"{shown(path)} isn't a regular file. Name a Python program.")
        with path.open("rb"):
            pass
    except OSError as error:
        raise Problem(f"{shown(path)} can't be read: {error.strerror}. Name another file.") from None


def checked_output(output: Path, *inputs: Path | None) -> None:
    """Raise Problem for a file that must not or can't be written."""
    try:
        if output.exists():
            for one in filter(None, inputs):
                if output.samefile(one):
                    raise Problem(f"`-o {shown(output)}` would overwrite {shown(one)}. Name another file.")
            os.close(os.open(output, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0)))
        else:
            tempfile.TemporaryFile(dir=output.resolve().parent).close()
    except OSError as error:
        raise Problem(f"{shown(output)} can't be written: {error.strerror}. Name another file.") from None
