"""A state is detached between any two steps that one backward pass goes through."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from weaver.recording.model import Edge, id_of
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedPass, WatchedRun

Taken = dict[str, list[str]]  # place -> where what's there went without a gradient
FEWEST = 3  # cuts in one pass: one or two are truncation


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that detach what each step hands to the next, if no other path joins these steps."""
    told: set[int] = set()
    taken: dict[str, list[str]] = defaultdict(list)
    for edge in run.trace.edges:
        taken[edge.start].append(edge.end)
    for one in run.passes:
        lines: dict[int, list[Edge]] = defaultdict(list)
        for edge in _within(run, one, taken) if one.of == "backward" else ():
            lines[run.steps[edge.born].line].append(edge)
        for line, cuts in lines.items():
            if line not in told and len(cuts) >= FEWEST and _is_chain(run, cuts, taken):
                told.add(line)
                first = cuts[0]
                states = {**run.steps[first.born].tensors, **run.before(run.steps[first.born])}
                names = [name for name, state in states.items() if state.place == first.start]
                fields = {"name": min(names, key=len, default=""), "n": str(len(cuts))}
                yield Finding("recurrence", Severity.NOTE, line, first.born, one.line, "", fields)


def _within(run: WatchedRun, one: WatchedPass, taken: Taken) -> Iterator[Edge]:
    """Yield the cuts by `detach()` between nodes that a pass went through."""
    ids = one.ids()
    for edge in (edge for born, edges in run.edges.items() for edge in edges if born >= 0):
        if edge.why == "detach" and id_of(edge.start) in ids and _led(edge, taken) & ids:
            yield edge


def _led(cut: Edge, taken: Taken) -> set[str]:
    """Return the ids of the nodes that took what a cut led to."""
    found: set[str] = set()
    todo = [cut.end]
    while todo:
        place = todo.pop()
        if place not in found:
            found.add(place)
            todo += taken.get(place, ()) if place[:1] == "p" else ()
    return {id_of(place) for place in found if place[0] == "n"}


def _is_chain(run: WatchedRun, cuts: list[Edge], taken: Taken) -> bool:
    """Tell whether each cut's value goes into the next one, by the same weights, and no gradient does."""
    first = cuts[0].born
    for cut, following in pairwise(cuts):
        behind = run.behind([following.start])
        shared = behind & run.behind([cut.start])
        is_joined = any(run.made(run.nodes[id]) > first for id in shared if id in run.nodes)
        if is_joined or not _led(cut, taken) & behind or not shared & run.trained:
            return False
    return True
