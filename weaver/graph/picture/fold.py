"""A graph too large for a phone -> a smaller one that says the same."""

from msgspec.structs import replace

from weaver.graph.recorded import Graph, GraphBox, GraphEdge

FOLD = 10  # boxes from which on a graph is folded
LONGEST = 6  # boxes of what may repeat
LARGEST = 40  # boxes of the largest picture
# Operations that only look at the same values in another way; unnamed, they say nothing
VIEWS = {"t", "view", "transpose", "expand", "unsqueeze", "squeeze", "permute", "_unsafe_view", "alias"}

Ends = dict[str, list[GraphEdge]]  # the edges at each box


class TooLarge(Exception):
    """A graph with more boxes, `args[0]`, than a picture can show, folded as it is."""


def fold(graph: Graph) -> Graph:
    """Return the graph with at most LARGEST boxes; a small one is returned as it is.

    In a larger one, unnamed views are passed over, a leaf or constant that is used once is written
    into the box that uses it, and repetitions become one box. Raises TooLarge if that is not enough.
    """
    if len(graph.boxes) < FOLD:
        return graph
    graph = _take_in_inputs(_pass_over_views(graph))
    if len(graph.boxes) >= FOLD:
        graph = _fold_repetitions(graph)
    if len(graph.boxes) > LARGEST:
        raise TooLarge(len(graph.boxes))
    return graph


def _ends(graph: Graph) -> tuple[Ends, Ends]:
    """Return the edges into and out of each box."""
    into: Ends = {box.id: [] for box in graph.boxes}
    out: Ends = {box.id: [] for box in graph.boxes}
    for edge in graph.edges:
        into[edge.end].append(edge)
        out[edge.start].append(edge)
    return into, out


def _pass_over_views(graph: Graph) -> Graph:
    """Take out unnamed views; the gradient that arrives before them is shown on the joined edge."""
    for box in graph.boxes:
        if box.verb not in VIEWS or box.id in graph.roots or any(value.names for value in box.outputs):
            continue
        into, out = _ends(graph)
        if len(into[box.id]) == len(out[box.id]) == 1:
            (before,), (after,) = into[box.id], out[box.id]
            joined = replace(after, start=before.start, output=before.output, grad=before.grad, local=None)
            graph = replace(
                graph,
                boxes=tuple(other for other in graph.boxes if other != box),
                edges=tuple(joined if edge == after else edge for edge in graph.edges if edge != before),
                steps=tuple(step for step in graph.steps if step.at != box.id),
            )
    return graph


def _take_in_inputs(graph: Graph) -> Graph:
    """Write each leaf and constant that is used once into the box that uses it."""
    into, out = _ends(graph)
    taken = {
        box.id: out[box.id][0].end
        for box in graph.boxes
        if box.kind in ("leaf", "constant")
        and box.id not in graph.roots
        and len(out[box.id]) == 1
        and not into[box.id]
    }
    inside: dict[str, list[GraphBox]] = {}
    for box in graph.boxes:
        if box.id in taken:
            inside.setdefault(taken[box.id], []).append(box)
    return replace(
        graph,
        boxes=tuple(
            replace(box, inside=tuple(inside.get(box.id, ()))) for box in graph.boxes if box.id not in taken
        ),
        edges=tuple(edge for edge in graph.edges if edge.start not in taken),
    )


def _fold_repetitions(graph: Graph) -> Graph:
    """Fold the longest repetitions of up to LONGEST boxes that follow each other in a line."""
    into, out = _ends(graph)
    boxes = {box.id: box for box in graph.boxes}
    lines, seen = [], set()
    for box in graph.boxes:
        line = []
        while box.id not in seen and box.kind == "operation" and len(into[box.id]) == 1:
            seen.add(box.id)
            line.append(box)
            if len(out[box.id]) != 1:
                break
            box = boxes[out[box.id][0].end]
        lines.append(line)
    folded: dict[str, GraphBox] = {}  # id -> the box that stands for it
    for line in lines:
        at = 0
        while at < len(line):
            period, times = max(
                ((p, _repeats(line[at:], p)) for p in range(1, LONGEST + 1)),
                key=lambda f: (f[0] * f[1], -f[0]),
            )
            if times > 3:
                group = line[at + period : at + period * (times - 1)]  # the first and the last stay
                stands = GraphBox(group[0].id, "folded", inside=tuple(group), times=times - 2)
                folded.update((box.id, stands) for box in group)
            at += max(1, period * times if times > 3 else 1)
    kept = []
    for box in graph.boxes:
        box = folded.get(box.id, box)
        if box not in kept:
            kept.append(box)
    edges = [
        replace(
            edge,
            start=folded[edge.start].id if edge.start in folded else edge.start,
            end=folded[edge.end].id if edge.end in folded else edge.end,
        )
        for edge in graph.edges
    ]
    return replace(
        graph,
        boxes=tuple(kept),
        edges=tuple(edge for edge in edges if edge.start != edge.end),
    )


def _repeats(line: list[GraphBox], period: int) -> int:
    """Return how often the first `period` boxes of a line stand there one after the other."""
    names = [(box.node, len(box.inside)) for box in line]
    times = 1
    while names[times * period : (times + 1) * period] == names[:period]:
        times += 1
    return times if len(names) >= period else 0
