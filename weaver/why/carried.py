"""What carries a graph from one backward pass into another."""

import ast
import re
from collections.abc import Iterator

from weaver.recording.model import Node, id_of
from weaver.why.run import WatchedPass, WatchedRun


def parts(run: WatchedRun, one: WatchedPass, earlier: WatchedPass) -> tuple[list[Node], set[str], list[int]]:
    """Return a pass's nodes made after an earlier one, the others' ids, and the steps that tied these."""
    graph = [run.nodes[id] for id in run.behind(one.roots) if id in run.nodes]
    new = [node for node in graph if run.made(node) > earlier.step]
    old = {node.id for node in graph} - {node.id for node in new}
    ties = [run.made(node) for node in new if any(place and id_of(place) in old for place in node.next)]
    return new, old, ties


def carrier(run: WatchedRun, index: int, old: set[str]) -> tuple[int, str]:
    """Return the outermost line around a step that reads a variable which leads into the old graph.

    And the variable, "" if there's none.
    """
    step = run.steps[index]
    line, depth, read = step.line, step.depth, ""
    for step in run.steps[index:]:
        if step.depth < depth or step is run.steps[index]:
            depth = step.depth
            words = set(re.findall(r"\w+", run.text(step.line)))
            states = run.before(step).items()
            names = {name for name, state in states if id_of(state.place) in old}
            found = [name for name in names if words >= set(re.findall(r"[^\W\d]\w*", name))]
            if found:
                line, read = step.line, min(found)
    return line, read


def carried_over(run: WatchedRun, line: int) -> dict[str, int]:
    """Return the variables that the innermost loop around a line reads before it sets them, and that line."""
    loops = [one for one in run.lines.every() if isinstance(one, ast.For | ast.While) and _holds(one, line)]
    read: set[str] = set()
    found: dict[str, int] = {}
    stored: set[str] = set()
    for one in _simple(loops[-1].body) if loops else ():
        names = [part for part in ast.walk(one) if isinstance(part, ast.Name)]
        read |= {part.id for part in names if isinstance(part.ctx, ast.Load)} - stored
        written = {part.id for part in names if isinstance(part.ctx, ast.Store)}
        found |= {name: one.lineno for name in written & read}
        stored |= written
    return found


def _holds(one: ast.stmt, line: int) -> bool:
    return one.lineno < line <= (one.end_lineno or 0)


def _simple(body: list[ast.stmt]) -> Iterator[ast.stmt | ast.expr]:
    """Yield the statements of a block in order, of those with blocks of their own the tests and the parts."""
    for one in body:
        blocks = [getattr(one, name, []) for name in ("body", "orelse", "finalbody")]
        if not any(blocks):
            yield one
            continue
        yield from (getattr(one, name) for name in ("test", "iter") if hasattr(one, name))
        for block in blocks:
            yield from _simple(block)
