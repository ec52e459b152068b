"""What changes from run to run: where a program may depend on it, and another world to try the program in.

A program whose source shows no way to such a thing runs once. Any other runs a second time, in an
interpreter with other hashes, other generators, other addresses and other clocks, and must print the same.
"""

import ast
import ctypes
import gc
import os
import platform
import re
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache, partial

# Modules whose results depend on their arguments alone. Any other may ask the system.
STEADY = {
    *("__future__", "abc", "bisect", "cmath", "collections", "contextlib", "contextvars", "copy"),
    *("dataclasses", "decimal", "enum", "fractions", "functools", "heapq", "inspect", "io", "itertools"),
    *("json", "math", "numbers", "operator", "pprint", "re", "statistics", "string", "struct", "textwrap"),
    *("torch", "traceback", "types", "typing", "warnings", "weakref"),
}
# Names that lead to what changes without an import: hashes, addresses, states of generators, clocks, files
BUILT_IN = {"__import__", "eval", "exec", "frozenset", "hash", "id", "open", "set"}
ATTRIBUTES = {
    *("__hash__", "_cdata", "data_ptr", "get_rng_state", "initial_seed", "seed"),
    *("benchmark", "profile", "profiler"),
    *("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided"),  # memory as it was left
}
SOURCE = re.compile(
    r"time\.(time|monotonic|perf_counter|process_time|thread_time|clock_gettime)(_ns)?|time\.(c|local|gm)time"
    r"|datetime\.(datetime|date)\.(now|utcnow|today)|os\.(urandom|getpid|getppid|uname)|secrets\.\w+"
    r"|uuid\.uuid[14]|random\.SystemRandom|socket\.gethostname|platform\.node"
)
FORMAT = re.compile(r"(![rsa])?(:[^:\])}]*)?$")  # what may follow an expression in an f-string's braces
UNSEEDED = re.compile(r"random\.(Random|seed)|numpy\.random\.(default_rng|seed)|[\w.]+\.seed")
# The other world's clocks are so many seconds ahead, and so much faster. Ahead by no whole day or month.
YEAR, PACE = 400 * 86400 + 12345, 3


@lru_cache(maxsize=4096)
def doubts(source: str) -> tuple[tuple[str, int], ...]:
    """Return where a program may depend on what changes from run to run: what it uses, and the line.

    Empty if nothing in it can, or if it is not Python.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    nodes = list(ast.walk(tree))
    imported = dict(name for node in nodes for name in _imported(node))
    found = {name: line for name, line in (one for node in nodes for one in _used(node, imported))}
    if "*" in imported:
        module, line = imported.pop("*")
        found[f"from {module} import *"] = line
    unused = {module: line for module, line in imported.values() if not _names(found, module)}
    return tuple(sorted((unused | found).items(), key=lambda one: one[1]))


def doubtful(source: str, expressions: Iterable[str]) -> bool:
    """Tell whether a program, or what a page asks of it, may depend on what changes from run to run.

    An expression may be followed by how its value is formatted, as in an f-string's braces.
    """
    return any(doubts(text) for text in (source, *(FORMAT.sub("", one) for one in expressions)))


def _names(found, module):
    return any(name == module or name.startswith(f"{module}.") for name in found)


def never_same(cells: Iterable[str]) -> list[tuple[int, str, int]]:
    """Return what in a program's cells no two runs have in common: the cell from 0, what it uses, the line.

    These are clocks, the system's randomness, and generators that nothing seeds.
    """
    imported, found = {}, []
    for number, code in enumerate(cells):
        try:
            nodes = list(ast.walk(ast.parse(code)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # what no kernel can run is told when it runs
        imported |= dict(name for node in nodes for name in _imported(node))
        for node in (node for node in nodes if isinstance(node, ast.Call)):
            path = _path(node.func)
            name = path and ".".join([imported.get(path[0], path)[0], *path[1:]])
            is_bare = not (node.args or node.keywords)
            if name and (SOURCE.fullmatch(name) or (is_bare and UNSEEDED.fullmatch(name))):
                found.append((number, name, node.lineno))
    return sorted(found, key=lambda one: (one[0], one[2]))


def _imported(node) -> Iterator[tuple[str, tuple[str, int]]]:
    """Yield the names that an import of what isn't steady gives: name -> (what it is, the line)."""
    if isinstance(node, ast.Import):
        for one in node.names:
            if one.name.split(".")[0] not in STEADY:
                name = one.name if one.asname else one.name.split(".")[0]
                yield one.asname or name, (name, node.lineno)
    elif isinstance(node, ast.ImportFrom):
        module = node.module or "."
        for one in node.names if module.split(".")[0] not in STEADY else ():
            yield one.asname or one.name, (module if one.name == "*" else f"{module}.{one.name}", node.lineno)


def _used(node, imported) -> Iterator[tuple[str, int]]:
    """Yield what a node uses that may change, and its line."""
    if isinstance(node, ast.Set | ast.SetComp) or _subtracts_keys(node):
        yield "the order of a set", node.lineno
    elif isinstance(node, ast.Attribute):
        path = _path(node)
        if path and path[0] in imported:
            yield ".".join([imported[path[0]][0], *path[1:]]), node.lineno
        elif node.attr in ATTRIBUTES:
            yield ".".join(path or ["…", node.attr]), node.lineno
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if node.id in imported and "." in imported[node.id][0]:
            yield imported[node.id][0], node.lineno
        elif node.id in BUILT_IN | ATTRIBUTES:
            yield node.id, node.lineno


def _subtracts_keys(node):
    """Tell whether a node makes a set of a dictionary's keys: `a.keys() - b.keys()`."""
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else ()
    called = [side.func for side in sides if isinstance(side, ast.Call)]
    return any(isinstance(function, ast.Attribute) and function.attr == "keys" for function in called)


def _path(node):
    """Return the parts of `a.b.c`; None for what is no such name."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else None


@contextmanager
def world(seed: int) -> Iterator[None]:
    """Make this process another world for a time if `seed` isn't 0: its clocks are ahead and fast, and so on.

    The rest, such as its number and where things are in memory, differs by itself, the order of a set if
    the interpreter was started with another hash seed.
    """
    before = []
    for holder, name, value in _elsewhere() if seed else ():
        before.append((holder, name, holder[name]))
        holder[name] = value
    _forget_lookups()
    try:
        yield
    finally:
        for holder, name, value in before:
            holder[name] = value
        _forget_lookups()


def _elsewhere() -> Iterator[tuple[dict, str, object]]:
    """Yield what is different in the other world: a module's or a class's names, a name in it, its value."""
    clock = _ahead(time.time, 1)
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        yield vars(time), name, clock if name == "time" else _ahead(getattr(time, name), 1)
        yield vars(time), f"{name}_ns", _ahead(getattr(time, f"{name}_ns"), 10**9)
    for name, unit in (("clock_gettime", 1), ("clock_gettime_ns", 10**9)):
        if hasattr(time, name):
            yield vars(time), name, _ahead(getattr(time, name), unit)
    local = time.localtime
    for name in ("gmtime", "localtime", "ctime"):
        yield vars(time), name, partial(_at, getattr(time, name), clock)
    yield vars(time), "asctime", lambda when=None, own=time.asctime: own(when or local(clock()))
    yield vars(time), "strftime", lambda form, when=None, own=time.strftime: own(form, when or local(clock()))
    for holder in gc.get_referents(vars(datetime)):  # written in C, asks no module, and can't be set
        yield holder, "now", classmethod(lambda form, tz=None: form.fromtimestamp(clock(), tz))
        yield holder, "utcnow", classmethod(lambda form: form.utcfromtimestamp(clock()))
    yield vars(socket), "gethostname", lambda: "elsewhere"
    yield vars(platform), "node", lambda: "elsewhere"
    if hasattr(os, "uname"):
        own = os.uname()
        yield vars(os), "uname", lambda: type(own)((own.sysname, "elsewhere", *own[2:]))


def _ahead(clock, unit):
    """Return a clock that is a year ahead of another and goes faster from the first look on."""
    began = {}

    def ahead(*which):
        now = clock(*which)
        return now + YEAR * unit + (now - began.setdefault(which, now)) * (PACE - 1)

    return ahead


def _at(function, clock, when=None):
    """Call a function that takes the current time if it is given none."""
    return function(clock() if when is None else when)


def _forget_lookups():
    """Let Python look again for the methods of a class that were changed behind its back."""
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime))
