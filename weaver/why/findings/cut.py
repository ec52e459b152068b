"""Where a path ends on which a gradient would flow from a loss to what's trained."""

import ast
from collections.abc import Iterator
from dataclasses import replace

from weaver.recording.lines import SWITCHES, path
from weaver.recording.model import Edge, id_of
from weaver.why.cuts import CUTS, DETACHES, cutting
from weaver.why.finding import Finding
from weaver.why.findings import straight
from weaver.why.leaves import told
from weaver.why.run import WatchedPass, WatchedRun
from weaver.why.values import is_differentiable

MEANT = "operation", "backward"  # an index, a mask, a gradient: nobody expects a gradient through these
Cuts = dict[tuple[int, str], tuple[int, set[str], set[int]]]
Into = dict[str, list[tuple[int, Edge]]]  # where edges without gradient end -> these, with their steps


def find(run: WatchedRun) -> Iterator[Finding]:
    """Say which lines cut the losses off from what optimizers hold, and by what.

    And which call a trained module where nothing is recorded, in an iteration that has a backward pass later.
    """
    found: Cuts = {}
    through = {one.line for one in straight.find(run)}
    into: Into = {}
    for step, edges in run.edges.items():
        for edge in edges if step >= 0 else ():
            into.setdefault(id_of(edge.end), []).append((step, edge))
    for one in run.passes:
        cuts = sorted(_cuts(run, one, into), key=lambda cut: cut[:2]) if one.of == "backward" else []
        for step, why, leaves in cuts:
            at, by = cutting(run, _guarded(run, step) if why in SWITCHES else step, why)
            is_there = why != "detach" or bool(DETACHES.search(run.text(run.steps[at].line)))
            if run.steps[at].line in through:  # its result leads to the rest all the same
                leaves = leaves - run.behind(id for id, node in run.nodes.items() if run.made(node) == at)
            if is_there and leaves:
                _, known, lines = found.setdefault((run.steps[at].line, by), (at, set(), set()))
                known |= leaves
                lines.add(one.line)
    for (line, by), (step, leaves, lines) in found.items():
        is_part = bool(run.lines.loops_around(line)) and run.has_gap(-1, len(run.steps))
        fact = told(run, line, step, "cut", leaves, by, is_least=is_part)
        yield replace(fact, fields={**fact.fields, "also": ", ".join(map(str, sorted(lines)))})
    for (line, by), (step, leaves) in _called(run).items():
        if (line, by) not in found:
            yield told(run, line, step, "unrecorded", leaves, by)


def _cuts(run: WatchedRun, one: WatchedPass, into: Into) -> Iterator[tuple[int, str, set[str]]]:
    """Yield the cuts on what went into the graph of a pass: step, by what, the trained leaves behind."""
    graph = run.behind(one.roots)
    nodes = (run.nodes[id] for id in graph if id in run.nodes)
    seen = graph | {id_of(saved.place) for node in nodes for saved in node.saved if saved.place}
    todo = [*seen]
    while todo:
        for step, edge in into.get(todo.pop(), ()):
            start = id_of(edge.start)
            if start[0] == "p" and start not in seen:
                seen.add(start)
                todo.append(start)
            elif start[0] != "p" and edge.why in CUTS and edge.why not in MEANT and _is_number(run, edge):
                leaves = run.behind([start]) & run.stepped
                yield from [(step, edge.why, leaves)] if leaves else ()


def _guarded(run: WatchedRun, index: int) -> int:
    """Return the step of the line in a `with torch.no_grad()` that called a step's line, or that step.

    What's called there may run elsewhere with recording on.
    """
    at: int | None = index
    while at is not None and not run.guard(run.steps[at].line):
        at = run.caller(at)
    return index if at is None else at


def _is_number(run: WatchedRun, edge: Edge) -> bool:
    """Tell whether what an edge leads to could have a gradient: no index or mask, as far as that's known."""
    states = (state for state in run.steps[edge.born].tensors.values() if state.place == edge.end)
    return all(map(is_differentiable, states))


def _called(run: WatchedRun) -> dict[tuple[int, str], tuple[int, set[str]]]:
    """Return the trained leaves of what a line calls while a switch is off, by the line and the switch."""
    found: dict[tuple[int, str], tuple[int, set[str]]] = {}
    last = {one.loops: one.step for one in run.passes if one.of == "backward"}
    for index, edges in run.edges.items():
        step = run.steps[index]
        off = (edge for edge in edges if edge.why in SWITCHES)
        starts = {edge.start: edge.why for edge in off if edge.start in run.stepped}
        if not starts or not 0 <= index < last.get(step.loops, -1):
            continue
        calls = {f"{path(one.func)}." for one in run.expressions(step.line) if isinstance(one, ast.Call)}
        names = {name: state.place for name, state in run.before(step).items() if state.place in starts}
        leaves = {place for name, place in names.items() if name.startswith((*calls,))}
        for why in {starts[leaf] for leaf in leaves}:
            at = _guarded(run, index)
            key = run.steps[at].line, cutting(run, index, why)[1]
            found.setdefault(key, (at, set()))[1].update(leaves)
    return found
