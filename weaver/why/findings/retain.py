"""A kept graph is of no use, or of a time before an optimizer's step."""

import ast
from collections.abc import Iterator

from weaver.recording.acts import USED
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedPass, WatchedRun
from weaver.why.uses import uses


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find graphs that are kept for nothing, and those that outlive the values of their parameters."""
    yield from _unused(run)
    yield from _stale(run)


def _stale(run: WatchedRun) -> Iterator[Finding]:
    """Find a pass through nodes of an earlier one, where a step in between changed leaves of theirs.

    And where a step uses the gradients that they get.
    """
    last: dict[str, WatchedPass] = {}  # the pass that went through a node last
    used, _ = uses(run)
    for one in run.passes:
        again = {id: last[id] for id in one.ids() if id in last} if one.of == "backward" else {}
        for earlier in {other.number: other for other in again.values()}.values():
            shared = [id for id, other in again.items() if other is earlier]
            steps = [act for act in run.of("step") if earlier.number < act.run <= one.number]
            moved = {place for act in steps for place, grad in act.pairs() if grad in USED}
            stale = run.behind(shared) & moved & {*used[one.number]}
            made = max((run.made(run.nodes[id]) for id in shared), default=-1)
            if stale and made >= 0 and not one.failed:
                fields = run.named(stale) | {"also": str(run.steps[made].line)}
                yield Finding("retain", Severity.WRONG, one.line, one.step, None, "stale", fields)
                return
        last |= {id: one for id in one.ids() if id in run.nodes}


def _unused(run: WatchedRun) -> Iterator[Finding]:
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
