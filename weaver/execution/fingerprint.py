"""What can change a result, found by itself: the engine's files that take part, packages, the machine."""

import hashlib
import json
import platform
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

ENGINE = Path(__file__).parents[1]  # the package's folder
# Not by the trees, which take a quarter of a second in each build
IMPORT = re.compile(r"^[ \t]*(?:from ([\w.]+) import (\([^)]*\)|.*)|import (.*))", re.MULTILINE)


@cache
def fingerprint(*modules: str) -> str:
    """Return a digest of what any result of `modules` depends on: see `closure`, packages, machine.

    The packages are all that are installed: which of them takes part, only a run could tell.
    """
    digest = hashlib.sha256()
    for path in closure(*modules):
        digest.update(path.relative_to(ENGINE).as_posix().encode() + b"\0" + path.read_bytes())
    facts = [installed(), sys.version, sys.platform, platform.machine(), _processor()]
    digest.update(json.dumps(facts).encode())
    return digest.hexdigest()


def closure(*modules: str) -> list[Path]:
    """Return the engine's files that take part in running `modules`, sorted.

    These are the modules, what they import of the engine (wherever in the file an import stands), what
    that imports, and so on; of each, the packages that it lies in; and the files beside it, also in
    folders, that are not Python. A module is named as in an import, `weaver.execution.labs.worker`.
    """
    found, todo = set(), list(modules)
    while todo:
        module = todo.pop()
        path = _path(module)
        if path is None or path in found:
            continue
        found |= {path, *_data(path.parent)}
        todo += _imports(path.read_bytes())
        if "." in module:  # importing a module runs the packages above it
            todo.append(module.rpartition(".")[0])
    return sorted(found)


def installed() -> list[str]:
    """Return the packages that can be imported, each with its version, sorted: `torch-2.13.0.dist-info`."""
    folders = [Path(folder) for folder in sys.path if Path(folder).is_dir()]
    return sorted({path.name for folder in folders for path in folder.glob("*.dist-info")})


@cache
def version(package: str) -> str:
    """Return the version of an installed package, without importing it."""
    return metadata.version(package)


def _path(module: str) -> Path | None:
    """Return the file of a module of the engine; None if it is another's, or no module but a name in one."""
    package, *parts = module.split(".")
    if package != ENGINE.name:
        return None
    folder = ENGINE.joinpath(*parts)
    file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    return file if file.is_file() else None


@cache
def _imports(source: bytes) -> list[str]:
    """Return what a file imports: modules, and names from modules, which may be modules too.

    A line of a text that looks like an import counts as well: it can only make the closure larger.
    """
    names: list[str] = []
    for module, parts, plain in IMPORT.findall(source.decode()):
        words = [one.split()[0] for one in re.split(r"[(),\n]", parts or plain) if one.strip()]
        names += [module, *(f"{module}.{one}" for one in words)] if module else words
    return names


def _data(folder: Path) -> Iterator[Path]:
    """Yield the files that are not Python in a folder, and in those below it that are no packages."""
    for path in folder.iterdir():
        if path.is_dir() and path.name != "__pycache__" and not (path / "__init__.py").exists():
            yield from _data(path)
        elif path.is_file() and path.suffix != ".py":
            yield path


def _processor() -> str:
    """Return what the processor can do: torch picks its kernels by it, and last digits follow."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next((line for line in file if line.startswith(("flags", "Features"))), "")
    except OSError:
        return platform.processor()
