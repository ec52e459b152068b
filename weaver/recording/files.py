"""Which files are a program's own, and how their lines are numbered: one file after the other."""

from collections.abc import Collection
from os import getcwd, sep
from os.path import dirname
from sys import base_prefix, modules, prefix
from sysconfig import get_path

from torch import __file__ as TORCH

from weaver.recording.lines import SourceLines
from weaver.recording.model import SourceFile
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.program import NOTING, Script, read_source

# Within these nothing is the program's; within the latter, if its folder is outside
OTHERS = f"{sep}site-packages{sep}", f"{sep}dist-packages{sep}", f"{sep}."
INSTALLED = tuple(
    path.rstrip(sep) + sep
    for path in (get_path("stdlib"), get_path("platstdlib"), prefix, base_prefix, dirname(TORCH))
)
OPTIMIZER = "optim"  # in the text of a program that has one
OURS = NOTING.rpartition(sep)[0] + sep


class OwnFiles:
    """The files below the folders of a program whose functions have been called: `found`, in this order.

    The line 1 of the first file beside the program has the number after the program's last line, and so on.
    """

    def __init__(self, program: Script, lines: SourceLines):
        self.roots, self.lines = program.roots, lines
        self.found: list[SourceFile] = []
        self.trains = OPTIMIZER in program.source  # whether the text so far has one
        self.offsets: dict[str, int | None] = {program.path: 0}  # what is added to a file's line numbers
        self._last = _length(program.source)
        self._own_modules: dict[str, bool] = {}

    def offset(self, path: str) -> int | None:
        """Return what is added to the line numbers of a file, None for one that isn't the program's."""
        if path not in self.offsets:
            # Of what runpy runs, it may be relative
            whole = path if path.startswith((sep, "<")) else f"{getcwd()}{sep}{path.removeprefix(f'.{sep}')}"
            root = self._root(whole)
            self.offsets[path] = None if root is None else self._read(whole, root)
        return self.offsets[path]

    def _root(self, path: str) -> str | None:
        """Return the folder, or the file, by which a file is the program's, None if it isn't."""
        if not path.endswith(".py") or path.startswith(OURS):
            return None
        held = (root for root in self.roots if path.startswith(root))
        return next((root for root in held if not _is_installed(path, root)), None)

    def _read(self, path: str, root: str) -> int | None:
        try:
            text = read_source(path)
            self.lines.add(text, self._last)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        offset = self._last
        name = path[len(root) :] or path.rpartition(sep)[2]
        self.found.append(SourceFile(name, offset + 1, text))
        self.trains |= OPTIMIZER in text
        self._last += _length(text)
        return offset

    def has_module(self, name: str) -> bool:
        """Tell whether a module's file is the program's."""
        if name not in self._own_modules:
            path = getattr(modules.get(name), "__file__", None)
            self._own_modules[name] = type(path) is str and self._root(path) is not None
        return self._own_modules[name]


def _is_installed(path: str, root: str) -> bool:
    """Tell whether a file below a root is Python's, torch's or another package's, and the root isn't."""
    if any(one in path[len(root) - 1 :] for one in OTHERS):
        return True
    return any(path.startswith(one) and not root.startswith(one) for one in INSTALLED)


def _length(text: str) -> int:
    return max(text.count("\n"), len(text.splitlines()))


def folders(paths: Collection[str]) -> tuple[str, ...]:
    """Return folders as the beginnings of the paths of what they hold."""
    return tuple(path if path.endswith((sep, ".py")) else path + sep for path in paths)
