"""What changes from run to run: where a program may depend on it.

A program whose source shows no way to such a thing runs once. Any other runs a second time `elsewhere`, in
an interpreter with other hashes, other generators, other addresses and other clocks, and must print the same.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from weaver.execution.orders import shown_orders
from weaver.problem import quoted
from weaver.syntax import parsed

# Modules whose results depend on their arguments alone. Any other may ask the system.
STEADY = {
    *("__future__", "abc", "bisect", "cmath", "collections", "contextlib", "contextvars", "copy"),
    *("dataclasses", "decimal", "enum", "fractions", "functools", "heapq", "inspect", "io", "itertools"),
    *("json", "math", "numbers", "operator", "pprint", "re", "statistics", "string", "struct", "textwrap"),
    *("torch", "traceback", "types", "typing", "warnings", "weakref"),
}
# Names that lead to what changes without an import: hashes, addresses, states of generators, clocks, files
BUILT_IN = {
    *("__builtins__", "__import__", "ascii", "eval", "exec", "frozenset", "hash", "id", "object", "open"),
    *("repr", "set"),
}
ATTRIBUTES = {
    *("__hash__", "__repr__", "__str__", "_cdata", "data_ptr", "get_rng_state", "initial_seed", "seed"),
    *("__config__", "benchmark", "get_num_interop_threads", "profile", "profiler"),
    *("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided"),  # memory as it was left
}
SPELLED = ATTRIBUTES | {"__builtins__", "hash", "id"}  # as a text they name these: `getattr(t, "data_ptr")`
CLOCK = re.compile(
    r"time\.(time|monotonic|perf_counter|process_time|thread_time|clock_gettime)(_ns)?|time\.(c|local|gm)time"
    r"|datetime\.(datetime|date)\.(now|utcnow|today)|os\.(getpid|getppid|uname)"
    r"|socket\.gethostname|platform\.node"
)
CHANCE = re.compile(
    r"os\.(getrandom|urandom)|secrets\.(?!compare_digest)\w+|uuid\.uuid[14]|random\.SystemRandom"
)
FORMAT = re.compile(r"(![rsa])?(:[^:\])}]*)?$")  # what may follow an expression in an f-string's braces
UNSEEDED = re.compile(
    r"random\.(Random|seed)|.+\.seed"
    r"|numpy\.random\.(default_rng|seed|RandomState|SeedSequence|MT19937|PCG64(DXSM)?|Philox|SFC64)"
)
# Texts with which a database or NumPy looks at a clock of its own, which is the same in any world
SQL_NOW = re.compile(
    r"\s*(create|insert|replace|select|update|values|with)\b.*"
    r"(\bcurrent_(date|time)|'now'|\b(now|date|time|datetime|julianday|unixepoch)\(\s*\))",
    re.IGNORECASE | re.DOTALL,
)
Node = ast.expr | ast.stmt
Imported = dict[str, tuple[str, int]]  # a name that an import gives -> what it is, the line
TIMED = re.compile("date|time", re.IGNORECASE)  # what a call that takes `now` for the time says of itself


@lru_cache(maxsize=4096)
def doubts(source: str) -> tuple[tuple[str, int], ...]:
    """Return where a program may depend on what changes from run to run: what it uses, and the line.

    Empty if nothing in it can, or if it is not Python.
    """
    try:
        tree = parsed(source)
    except SyntaxError:
        return ()
    nodes = _nodes(tree)
    imported = dict(name for node in nodes for name in _imported(node))
    found = {name: line for name, line in (one for node in nodes for one in _used(node, imported))}
    if line := _seeds_late(tree):
        found["torch.manual_seed"] = line
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


def _names(found: Iterable[str], module: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for name in found)


def never_same(cells: Iterable[str], clocks: bool = True) -> list[tuple[int, str, int]]:
    """Return what in a program's cells no two runs have in common: the cell from 0, what it uses, the line.

    These are the system's randomness, generators that nothing seeds, orders of sets, and clocks: with
    `clocks` False only those that are the same elsewhere.
    """
    imported: Imported = {}
    found: list[tuple[int, str, int]] = []
    for number, code in enumerate(cells):
        try:
            nodes = _nodes(parsed(code))
        except SyntaxError:
            continue  # what no kernel can run is told when it runs
        imported |= dict(name for node in nodes for name in _imported(node))
        for node in nodes:
            if name := _changes(node, imported, clocks):
                found.append((number, name, node.lineno))
        found += ((number, "the order of a set", line) for line in shown_orders(nodes))
    return sorted(found, key=lambda one: (one[0], one[2]))


def _changes(node: Node, imported: Imported, clocks: bool) -> str | None:
    """Return what no two runs have in common if a node is such a thing."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return quoted(" ".join(node.value.split()))[1:-1] if imported and SQL_NOW.match(node.value) else None
    if not isinstance(node, ast.Call):
        return None
    path = _path(node.func) or ["…", getattr(node.func, "attr", "")]
    name = ".".join([imported.get(path[0], path)[0], *path[1:]])
    given = [*node.args, *(one.value for one in node.keywords)]
    is_bare = all(isinstance(one, ast.Constant) and one.value is None for one in given)
    if CHANCE.fullmatch(name) or (is_bare and UNSEEDED.fullmatch(name)) or (clocks and CLOCK.fullmatch(name)):
        return name
    held = [one.value for value in given for one in ast.walk(value) if isinstance(one, ast.Constant)]
    now = next((one for one in held if one in ("now", "today")), None)
    if now and path[0] in imported and TIMED.search(" ".join(map(str, (name, *held)))):
        return f"{name}({now!r})"
    return None


def spelled(name: str) -> str:
    """Return what `doubts` or `never_same` found as a sentence names it."""
    return name if name == "the order of a set" else f"`{name}`"


def _nodes(tree: ast.AST) -> list[Node]:
    return [node for node in ast.walk(tree) if isinstance(node, Node)]


def _imported(node: Node) -> Iterator[tuple[str, tuple[str, int]]]:
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


def _used(node: Node, imported: Imported) -> Iterator[tuple[str, int]]:
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
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in SPELLED:
        yield node.value, node.lineno


def _seeds_late(tree: ast.Module) -> int | None:
    """Return the line where a program seeds torch after something that may have drawn numbers, or None."""
    defined = ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef
    first = next((one for one in tree.body if not isinstance(one, defined)), tree)
    seeds = [one for one in ast.walk(tree) if isinstance(one, ast.Attribute) and one.attr == "manual_seed"]
    return seeds[0].lineno if seeds and not any(one in seeds for one in ast.walk(first)) else None


def _subtracts_keys(node: ast.AST) -> bool:
    """Tell whether a node makes a set of a dictionary's keys: `a.keys() - b.keys()`."""
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else ()
    called = [side.func for side in sides if isinstance(side, ast.Call)]
    return any(isinstance(function, ast.Attribute) and function.attr == "keys" for function in called)


def _path(node: ast.expr) -> list[str] | None:
    """Return the parts of `a.b.c`; None for what is no such name."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else None
