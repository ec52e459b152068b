"""Which lines and expressions compute with leaves."""

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import takewhile

from weaver.recording.lines import path
from weaver.recording.model import Node
from weaver.recording.repeated import begin
from weaver.why.run import WatchedRun


def lines_with(run: WatchedRun, users: dict[str, int], leaves: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the step that computed with some leaves, or with the module that has them all.

    Or, if no line did so with all of them, each line's step with those that it computed with.
    """
    leaves = [one for one in leaves if one in users]
    if not leaves:
        return
    at = _user(run, users, leaves)
    by_line: dict[int, tuple[int, list[str]]] = {}
    for one in leaves:
        by_line.setdefault(run.steps[users[one]].line, (users[one], []))[1].append(one)
    is_one = all(begin(run.steps, at) <= step <= at for step, _ in by_line.values())
    yield from [(at, leaves)] if is_one else by_line.values()


def _user(run: WatchedRun, users: dict[str, int], leaves: list[str]) -> int:
    """Return the first step that computed with some leaves, or its caller that names their module."""
    paths = [run.names[one].split(".") for one in leaves]
    common = [parts[0] for parts in takewhile(lambda parts: len({*parts}) == 1, zip(*paths, strict=False))]
    start = at = min(users.values())
    while common and not re.search(rf"\b{re.escape(common[-1])}\b", run.text(run.steps[at].line)):
        if (caller := run.callers[at]) == at:
            return start
        at = caller
    return at


def users_of(run: WatchedRun, leaves: set[str]) -> dict[str, int]:
    """Return the steps in which some leaves were first computed with, as far as that was recorded."""
    made = ((run.made(node), place) for node in run.trace.nodes for place in node.next if place in leaves)
    return {str(place): at for at, place in sorted(made, reverse=True) if at >= 0}


def lines_of(run: WatchedRun, nodes: Iterable[Node]) -> set[int]:
    """Return the lines that recorded some nodes, as far as that's known."""
    return {run.steps[at].line for at in map(run.made, nodes) if at >= 0}


def walked(run: WatchedRun, index: int, expression: ast.expr) -> set[str]:
    """Return the leaves that an expression in a step goes through by `net.parameters()`."""
    methods = (part for part in ast.walk(expression) if isinstance(part, ast.Attribute))
    walks = (one for one in methods if one.attr in ("parameters", "named_parameters"))
    owners = tuple(f"{path(one.value)}." for one in walks)
    return {one.place for name, one in run.before(run.steps[index]).items() if name.startswith(owners)}
