"""Where a path ends on which a gradient would flow from a loss to what's trained."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from weaver.recording.lines import SWITCHES, path
from weaver.recording.model import Edge, id_of
from weaver.why.cuts import CUTS, SAID
from weaver.why.finding import Finding
from weaver.why.leaves import told
from weaver.why.run import WatchedPass, WatchedRun

DETACHES = re.compile(r"\bdetach_?\(|\.data\b")
UNNAMED = "operation"  # an index or a mask, mostly: nobody expects a gradient there
Cuts = dict[tuple[int, str], tuple[int, set[str], set[int]]]
Into = dict[str, list[tuple[int, Edge]]]  # where edges without gradient end -> these, with their steps


def find(run: WatchedRun) -> Iterator[Finding]:
    """Say which lines cut the losses off from what optimizers hold, and by what.

    And which call a trained module where nothing is recorded, in an iteration that has a backward pass later.
    """
    found: Cuts = {}
    into: Into = {}
    for step, edges in run.edges.items():
        for edge in edges if step >= 0 else ():
            into.setdefault(id_of(edge.end), []).append((step, edge))
    for one in run.passes:
        for step, why, leaves in _cuts(run, one, into) if one.of == "backward" else ():
            if leaves:
                at = _cutting(run, step) if why == "detach" else step
                _, known, lines = found.setdefault((run.steps[at].line, why), (at, set(), set()))
                known |= leaves
                lines.add(one.line)
    for (line, why), (step, leaves, lines) in found.items():
        fact = told(run, line, step, "cut", leaves, _named(why))
        yield replace(fact, fields={**fact.fields, "also": ", ".join(map(str, sorted(lines)))})
    for (line, why), (step, leaves) in _called(run).items():
        if (line, why) not in found:
            yield told(run, line, step, "unrecorded", leaves, _named(why))


def _named(why: str) -> str:
    return SAID.get(why, f"torch.{why}()")


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
            elif start[0] != "p" and edge.why in CUTS and edge.why != UNNAMED:
                yield step, edge.why, run.behind([start]) & run.stepped


def _cutting(run: WatchedRun, step: int) -> int:
    """Return the step whose line detaches: of a call's argument, that's seen with the first line it runs."""
    at: int | None = step
    while at is not None and not DETACHES.search(run.text(run.steps[at].line)):
        at = run.caller(at)
    return step if at is None else at


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
            found.setdefault((step.line, why), (index, set()))[1].update(leaves)
    return found
