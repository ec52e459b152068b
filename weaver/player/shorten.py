"""A trace that's too long for a page -> one with fewer steps, which says where some are missing."""

from dataclasses import replace

from weaver.recording.model import Gap, Node, Step, Trace, id_of, made_in, maker

# Of each, the first step that's left out and the next that's kept. The last cut comes first
Cuts = list[tuple[int, int]]


def cuts_in(count: int, kept: int, around: int | None = None) -> Cuts:
    """Return what to leave out of `count` steps to keep about `kept`: the first, the last, those `around`."""
    first, last = kept - kept // 2, count - kept // 2
    if last <= first:
        return []
    if around is None or not first <= around < last:
        return [(first, last)]
    part = kept // 4
    cuts = [(around + part, count - part), (part, around - part)]
    return [(start, end) for start, end in cuts if start < end]


def moved(index: int, cuts: Cuts) -> int:
    """Return the index that a step has after the cuts, or the step after it, if it's left out."""
    for first, last in cuts:
        index = index if index < first else max(index - last, 0) + first
    return index


def shorten(trace: Trace, cuts: Cuts) -> Trace:
    """Return the trace without the steps that are cut out; a gap says how many there were."""
    for first, last in cuts:
        trace = _without(trace, first, last)
    return trace


def _without(trace: Trace, first: int, last: int) -> Trace:
    steps = trace.steps
    left = steps[first:last]
    gap = steps[last].gap
    missing = len(left) + sum(step.gap.steps for step in [*left, steps[last]] if step.gap)
    printed = "".join((step.gap.printed if step.gap else "") + step.printed for step in left)
    middle = len(printed) - 2000
    shown = printed if middle < 0 else f"{printed[:1000]}[… {middle} …]{printed[-1000:]}"
    after = replace(steps[last], gap=Gap(missing, shown + (gap.printed if gap else "")))

    def born(at: int) -> int:  # -1 if it was there before the first line
        return at if at < first else max(at - len(left), first)

    def made(node: Node) -> int:
        at = maker(node, steps)
        return at if at < first else -1 if at < last else at - len(left)

    kept_steps = [*steps[:first], after, *steps[last + 1 :]]
    known = _named(trace, kept_steps)
    nodes = [
        made_in(replace(node, born=born(node.born)), made(node), kept_steps)
        for node in trace.nodes
        if node.id in known
    ]
    edges = [
        replace(edge, born=born(edge.born))
        for edge in trace.edges
        if not {id_of(edge.start), id_of(edge.end)} & {node.id for node in trace.nodes} - known
    ]
    return replace(trace, steps=kept_steps, nodes=nodes, edges=edges)


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
