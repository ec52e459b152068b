"""Which lines of a program belong to one statement, and which to a loop."""

import ast
from bisect import bisect_right

from weaver.graph.worker.objects import BUILTINS as __builtins__  # noqa: F401


class Lines:
    """Maps each line to the first of its statement; of a compound statement only the header is its own.

    Statements on one line are one. `loops` are the loops' first and last lines, outer before
    inner.
    """

    def __init__(self, source: str):
        tree = ast.parse(source)
        self.silent = set()  # `try:` alone on its line: nothing happens there
        self._first = {}
        self.short_loops = set()  # whose body begins on the line of the header
        spans = []
        for node in ast.walk(tree):  # outer before inner
            if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
                self._own(node)
            if isinstance(node, ast.For | ast.AsyncFor | ast.While):
                spans.append((node.lineno, node.end_lineno))
                if node.body[0].lineno == node.lineno:
                    self.short_loops.add(node.lineno)
            if isinstance(node, ast.Try) and node.body[0].lineno > node.lineno:
                self.silent.add(node.lineno)
        nodes = {}  # first line -> its statements
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                nodes.setdefault(self.first(self._start(node)), []).append(node)
        self._reads = {line: self._read(found) for line, found in nodes.items()}
        self.loops = sorted(spans, key=lambda span: (span[0], -span[1]))
        self.statements = [self.first(self._start(node)) for node in tree.body]

    def _start(self, node):
        decorators = getattr(node, "decorator_list", [])
        return min([node.lineno, *(one.lineno for one in decorators)])

    def _own(self, node):
        start = node.pattern.lineno if isinstance(node, ast.match_case) else self._start(node)
        inner = node.cases[0].pattern if isinstance(node, ast.Match) else getattr(node, "body", [None])[0]
        end = max(start, self._start(inner) - 1) if inner else node.end_lineno
        first = self._first.get(start, getattr(node, "lineno", start))
        for line in range(start, end + 1):
            self._first[line] = first

    def first(self, line: int) -> int | None:
        """Return the line by which the statement that holds `line` is known, None if there's none."""
        return self._first.get(line, line) if self._first else None

    def reads(self, line: int) -> frozenset[str]:
        """Return what the statement on the line reads: names, with the attributes asked of them: `self.w`.

        What is asked of something without a name has a dot before it: `.detach`.
        """
        return self._reads.get(line, frozenset())

    def _read(self, nodes):
        found, todo = set(), list(nodes)
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                found.add(_dotted(node) or f".{getattr(node, 'attr', '')}")  # of what has no name
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            todo += [one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.stmt)]
        return frozenset(found)

    def loops_around(self, line: int) -> list[tuple[int, int]]:
        """Return the loops that hold the line, outermost first."""
        return [span for span in self.loops if span[0] <= line <= span[1]]

    def statement(self, line: int) -> int:
        """Return the index of the top-level statement that holds the line; -1 before the first."""
        return bisect_right(self.statements, line) - 1


def _dotted(node):
    """Return `a.b.c`, or None if it does not begin with a name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript):
        return _dotted(node.value)
    base = _dotted(node.value) if isinstance(node, ast.Attribute) else None
    return base and f"{base}.{node.attr}"
