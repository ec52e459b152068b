"""Which lines of a program belong to one statement, and which to a loop."""

import ast
import re
from collections.abc import Collection, Iterable, Iterator

from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401

SETS_GRADIENT = re.compile(r"\._?grad\s*=\s*(?!=|None\b)")
NUMBER = re.compile(r"\[(\d+)\]")  # of a module in a container, which a state writes as its name
SWITCHES = "no_grad", "inference_mode", "set_grad_enabled"  # of torch, that switch recording off
QUIET = ast.For, ast.AsyncFor, ast.YieldFrom, ast.Await, ast.AsyncWith


class SourceLines:
    """Maps each line to the first of its statement; of a compound statement only the header is its own.

    Statements on one line are one. `loops` are the loops' first and last lines, outer before
    inner.
    """

    def __init__(self, source: str):
        self.silent: set[int] = set()  # `try:` alone on its line: nothing happens there
        self.loops: list[tuple[int, int]] = []
        self._first: dict[int, int] = {}
        self._around: dict[int, list[tuple[int, int]]] = {}
        self._guards: dict[int, tuple[int, str] | None] = {}
        self.switches: set[str] = set()  # those of SWITCHES that are in the text
        self.texts: list[str] = []
        self._statements: dict[int, list[ast.stmt]] = {}  # by their first line
        self.short_loops: set[int] = set()  # whose body begins on the line of the header,
        self.short_whiles: set[int] = set()  # of `while` alone: Python tests these again after the body
        self.add(source, 0)

    def add(self, source: str, offset: int) -> None:
        """Add the lines of a file, their numbers increased by `offset`."""
        tree = ast.parse(source)
        if offset:
            ast.increment_lineno(tree, offset)
        self.switches.update(word for word in SWITCHES if word in source)
        self.texts += [""] * (offset - len(self.texts)) + source.splitlines()
        spans = self.loops
        statements = _all_statements(tree)
        for node in statements:
            self._own(node)
            if isinstance(node, ast.For | ast.AsyncFor | ast.While):
                spans.append((node.lineno, node.end_lineno or node.lineno))
                if node.body[0].lineno == node.lineno:
                    self.short_loops.add(node.lineno)
                    self.short_whiles |= {node.lineno} if isinstance(node, ast.While) else set()
            if isinstance(node, ast.Try) and node.body[0].lineno > node.lineno:
                self.silent.add(node.lineno)
        for node in statements:
            if isinstance(node, ast.stmt):
                self._statements.setdefault(self._first[self._start(node)], []).append(node)
        spans.sort(key=lambda span: (span[0], -span[1]))

    def _start(self, node: ast.stmt | ast.ExceptHandler | ast.pattern) -> int:
        decorators = getattr(node, "decorator_list", [])
        return min([node.lineno, *(one.lineno for one in decorators)])

    def _own(self, node: ast.stmt | ast.ExceptHandler | ast.match_case) -> None:
        start = node.pattern.lineno if isinstance(node, ast.match_case) else self._start(node)
        inner = node.cases[0].pattern if isinstance(node, ast.Match) else getattr(node, "body", [None])[0]
        end = max(start, self._start(inner) - 1) if inner else getattr(node, "end_lineno", start)
        first = self._first.get(start, getattr(node, "lineno", start))
        for line in range(start, end + 1):
            self._first[line] = first

    def first(self, line: int) -> int | None:
        """Return the line by which the statement that holds `line` is known, None if there's none."""
        return self._first.get(line, line) if self._first else None

    def statements(self, line: int) -> list[ast.stmt]:
        """Return the statements that begin on the line, or on another line of the same statement."""
        return self._statements.get(line, [])

    def ends_quietly(self, line: int) -> bool:
        """Tell whether a StopIteration may be the normal end of an iterator that the line consumes."""
        every = (one for statement in self.statements(line) for one in expressions(statement))
        return any(isinstance(one, QUIET) for one in every)

    def set_gradients(self) -> bool:
        """Tell whether a line of the program itself puts something into a `.grad`."""
        return any(SETS_GRADIENT.search(text) for text in self.texts)

    def every(self) -> list[ast.stmt]:
        """Return all statements."""
        return [one for several in self._statements.values() for one in several]

    def text(self, statement: ast.stmt | ast.expr) -> str:
        """Return the lines that a statement, or an expression, is on."""
        return "\n".join(self.texts[statement.lineno - 1 : statement.end_lineno])

    def header(self, statement: ast.stmt) -> str:
        """Return the lines of a statement before its body."""
        body = getattr(statement, "body", None)
        end = max(body[0].lineno - 1, statement.lineno) if body else statement.end_lineno
        return "\n".join(self.texts[statement.lineno - 1 : end])

    def loops_around(self, line: int) -> list[tuple[int, int]]:
        """Return the loops that hold the line, outermost first."""
        if line not in self._around:
            self._around[line] = [span for span in self.loops if span[0] <= line <= span[1]]
        return self._around[line]

    def guard(self, line: int) -> tuple[int, str] | None:
        """Return the line of the innermost `with` or decorator around a line that switches recording off.

        With it comes which of SWITCHES it has.
        """
        if line not in self._guards:
            around = (one for one in self.every() if one.lineno <= line <= (one.end_lineno or 0))
            parts = ((part.lineno, self.text(part)) for one in around for part in _entered(one))
            found = [(at, word) for at, text in parts for word in SWITCHES if word in text]
            self._guards[line] = max(found, default=None)
        return self._guards[line]


def _entered(statement: ast.stmt) -> list[ast.expr]:
    """Return the decorators of a function, or what a `with` enters."""
    if isinstance(statement, ast.With):
        return [item.context_expr for item in statement.items]
    return statement.decorator_list if isinstance(statement, ast.FunctionDef) else []


def _all_statements(tree: ast.Module) -> list[ast.stmt | ast.ExceptHandler | ast.match_case]:
    """Return all statements and clauses, outer before inner; expressions, most of a tree, hold none."""
    found: list[ast.stmt | ast.ExceptHandler | ast.match_case] = [*tree.body]
    for one in found:  # which grows
        for part in ("body", "handlers", "orelse", "finalbody", "cases"):
            found += getattr(one, part, ())
    return found


def expressions(root: ast.AST) -> Iterator[ast.AST]:
    """Yield the expressions of a statement, without those of statements within it."""
    todo = [root]
    while todo:
        node = todo.pop()
        yield node
        todo += [one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.stmt)]


def path(node: ast.AST) -> str | None:
    """Return the name by which a state has what an expression leads to, None if that isn't certain."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (base := path(node.value)):
        return f"{base}.{node.attr}"
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        base = path(node.value)
        return base and f"{base}[{node.slice.value!r}]"
    return None


def asked(statements: list[ast.stmt]) -> list[str]:
    """Return the tensors whose `.grad` the statements read, by the names that a state has for them.

    What a comprehension reads of all `net.parameters()` comes as `net.`.
    """
    nodes = [node for one in statements for node in expressions(one)]
    reads = (one for one in nodes if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load))
    names = [path(one.value) for one in reads if one.attr == "grad"]
    loops = [part for node in nodes for part in getattr(node, "generators", ())]
    calls = ((path(one.target), one.iter.func) for one in loops if isinstance(one.iter, ast.Call))
    variables = {variable: path(function) or "" for variable, function in calls}
    of_all = (variables[name] for name in names if name in variables)
    names += [one.removesuffix("parameters") for one in of_all if one.endswith(".parameters")]
    return list(dict.fromkeys(form for name in names if name for form in (name, NUMBER.sub(r".\1", name))))


def meant(names: Iterable[str], known: Collection[str]) -> Iterator[str]:
    """Yield the names of the tensors in `known` that names as `asked` returns them mean."""
    for name in names:
        if name.endswith("."):
            yield from (one for one in known if one.startswith(name) and f"{one}.grad" in known)
        elif name in known:
            yield name
