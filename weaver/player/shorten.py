"""A trace that's too long for a page -> one with fewer steps, which says where some are missing."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from weaver.recording.fold import started
from weaver.recording.model import Gap, Step, Trace, id_of, made_in, maker
from weaver.recording.passes import caller, is_end
from weaver.recording.repeated import loops

MOST = 2000  # characters of what's left out that are shown


def moved(index: int, kept: Sequence[int]) -> int:
    """Return the index that a step has if only some are kept, or the step after it, if it isn't."""
    return min(bisect_left(kept, index), len(kept) - 1)


def shorten(trace: Trace, kept: Sequence[int], brief: Collection[int] = ()) -> Trace:
    """Return the trace with only these steps, among them the last; gaps say how many there were.

    Those that are `brief` don't tell which nodes the engine went through in them; nor do those that run a
    part of the same pass, so that no step shows only some of its nodes.
    """
    if len(kept) == len(trace.steps) and not brief:
        return trace
    passes = {event.run for at in brief for event in trace.steps[at].events}
    brief = {at for at in kept if at in brief or passes & {event.run for event in trace.steps[at].events}}
    found = list(loops(trace.steps))
    steps = [_after(trace.steps, before, at, found) for before, at in pairwise([-1, *kept])]
    ran = _ran(trace.steps)
    steps = [_brief(step, ran[at]) if at in brief else step for at, step in zip(kept, steps, strict=True)]
    places = {at: place for place, at in enumerate(kept)}

    def born(at: int) -> int:  # -1 if it was there before the first line
        return at if at < 0 else moved(at, kept)

    whole = [step for at, step in zip(kept, steps, strict=True) if at not in brief]
    told = _named(trace, whole)
    named = {id_of(facts.place) for at in brief for facts in trace.steps[at].tensors.values()} - told
    known = told | named  # of what a brief step recorded, only its results are left, so that isn't told
    # what those are cut off from, which may have no name
    known |= {id_of(edge.start) for edge in trace.edges if id_of(edge.end) in known}
    nodes = [
        made_in(
            replace(node, born=born(node.born)),
            -1 if node.id in named else places.get(maker(node, trace.steps), -1),
            steps,
        )
        for node in trace.nodes
        if node.id in known
    ]
    lost = {node.id for node in trace.nodes} - known
    edges = [
        replace(edge, born=born(edge.born))
        for edge in trace.edges
        if lost.isdisjoint((id_of(edge.start), id_of(edge.end)))
    ]
    acts = [replace(act, step=places[act.step]) for act in trace.acts if act.step in places]
    return replace(trace, steps=steps, nodes=nodes, edges=edges, acts=acts)


def _brief(step: Step, ran: int) -> Step:
    """Return a step with only where the engine began, what reached leaves, and how many nodes it `ran`."""
    return replace(step, events=[*filter(is_end, step.events)], skipped=ran)


def _ran(steps: Sequence[Step]) -> Counter[int]:
    """Return how many nodes the engine ran in its runs that each step began, also within hooks and such."""
    found, callers = Counter[int](), dict[int, int]()
    for index, step in enumerate(steps):
        for event in step.events:
            if event.kind == "start":
                callers[event.run] = caller(steps, index, event)
            elif event.kind == "visit":
                found[callers.get(event.run, index)] += 1
    return found


def _after(steps: list[Step], before: int, at: int, found: list[tuple[int, list[range]]]) -> Step:
    """Return a step with a gap that says what was there since the step `before`."""
    left = steps[before + 1 : at]
    if not left:
        return steps[at]
    gaps = [step.gap for step in steps[before + 1 : at + 1] if step.gap]
    printed = "".join((step.gap.printed if step.gap else "") + step.printed for step in left)
    if middle := max(len(printed) - MOST, 0):
        printed = f"{printed[: MOST // 2]}[… {middle} …]{printed[-MOST // 2 :]}"
    own = steps[at].gap
    line, iterations = None, 0
    if all(gap.line for gap in gaps):  # else a run of the loop may have ended there, and another begun
        for level, loop in found:
            if loop[0].start <= before and at < loop[-1].stop:
                (_, last), (number, now) = steps[before].loops[level], steps[at].loops[level]
                line, iterations = (number, now - last - 1) if now > last else (line, iterations)
    recorded = len(left) + sum(gap.recorded for gap in gaps)
    missing = len(left) + sum(gap.steps for gap in gaps)
    runs = sum(gap.runs for gap in gaps) + sum(map(started, left))
    printed += own.printed if own else ""
    return replace(steps[at], gap=Gap(missing, printed, line, iterations, recorded, runs))


def _named(trace: Trace, steps: list[Step]) -> set[str]:
    """Return the ids of what steps speak of, and of all nodes behind it."""
    nodes = {node.id: node for node in trace.nodes}
    found: set[str] = set()
    todo = [
        facts.place
        for states in (trace.before, *(step.tensors for step in steps))
        for facts in states.values()
    ]
    todo += [
        place for step in steps for event in step.events for place in (event.node or "", *(event.freed or ()))
    ]
    while todo:
        id = id_of(todo.pop())
        if id not in found:
            found.add(id)
            todo += [place for place in nodes[id].next if place] if id in nodes else []
    return found
