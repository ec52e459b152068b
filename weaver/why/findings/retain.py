"""`retain_graph=True` keeps a graph that no later backward pass uses."""

import ast
from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find lines with `retain_graph=True` none of whose graphs was used again."""
    lines: dict[int, list[bool]] = {}
    for one in run.passes:
        if one.of == "backward" and not one.failed and _retains(run, one.line):
            later = [other for other in run.passes if other.number > one.number]
            following = next((other.step for other in later if other.line == one.line), len(run.steps) - 1)
            nodes = {id for id in one.ids() if id[0] == "n"}
            is_used = any(nodes & other.ids() for other in later)
            if is_used or not run.has_gap(one.step, following):
                lines.setdefault(one.line, []).append(is_used)
    first = {one.line: one.step for one in reversed(run.passes)}
    for line, used in lines.items():
        if not any(used) and not run.trace.error:
            yield Finding("retain", Severity.NOTE, line, first[line])


def _retains(run: WatchedRun, line: int) -> bool:
    asked = (one for node in run.expressions(line) if isinstance(node, ast.Call) for one in node.keywords)
    return any(
        one.arg == "retain_graph" and isinstance(one.value, ast.Constant) and one.value.value is True
        for one in asked
    )
