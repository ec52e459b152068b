"""Which nodes of a trace share a box: those of similar iterations of a loop.

A training loop records the same graph in each iteration, so one picture is enough. A graph that grows from
iteration to iteration is one graph: its similar middle is folded into one box.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import groupby

from weaver.recording.model import Node, Trace

FOLD = 30  # a graph that grows in a loop is folded if it has more boxes
Signature = tuple[tuple, ...]  # equal for alike iterations


@dataclass
class Boxes:
    """`same` maps an id to the id of its box; `folded` maps a fold's id to how often which nodes repeat."""

    known: set[str]
    same: dict[str, str] = field(default_factory=dict)
    folded: dict[str, tuple[int, str]] = field(default_factory=dict)


def group(trace: Trace, titles: dict[str, str], births: dict[str, int]) -> Boxes:
    """Return the boxes of a trace; `titles` and `births` are those of its places."""
    boxes = Boxes({node.id for node in trace.nodes})
    _share_places(trace, titles, births, boxes.same)
    first: dict[Signature, list[Node]] = {}
    for nodes in _components(trace.nodes):
        if signature := _signature(nodes, trace, boxes.same):
            for old, node in zip(first.setdefault(signature, nodes), nodes, strict=True):
                if old is not node:
                    boxes.same[node.id] = old.id
    left = [node for node in trace.nodes if node.id not in boxes.same]
    if len(left) > FOLD:
        _fold(trace, left, boxes)
    return boxes


def _loops(trace: Trace, born: int) -> tuple[tuple[int, int], ...]:
    return trace.steps[born].loops if 0 <= born < len(trace.steps) else ()


def _share_places(trace: Trace, titles: dict[str, str], births: dict[str, int], same: dict[str, str]) -> None:
    """Give tensors without a node that each iteration makes again one box."""
    inner = {saved.place: node.id for node in trace.nodes for saved in node.saved if saved.place}
    seen: defaultdict[tuple, int] = defaultdict(int)
    first: dict[tuple, str] = {}
    edges = {edge.start: edge.born for edge in trace.edges} | {edge.end: edge.born for edge in trace.edges}
    places = dict.fromkeys([*births, *(place for place in edges if place[0] in "pl")])
    for place in places:
        if place[0] not in "pl":
            continue
        born = births.get(place, edges.get(place, 0))
        if not (loops := _loops(trace, born)):
            continue
        line = trace.steps[born].line
        key = place[0], line, titles.get(place, ""), tuple(loop for loop, _ in loops)
        iterations = tuple(iteration for _, iteration in loops)
        number = seen[key, iterations, place in inner]
        seen[key, iterations, place in inner] += 1
        if (old := first.setdefault((key, number), place)) != place:
            same[place] = old


def _components(nodes: list[Node]) -> list[list[Node]]:
    """Return the connected components of the graph without its leaves."""
    root = {node.id: node.id for node in nodes}

    def find(id: str) -> str:
        while root[id] != id:
            root[id] = id = root[root[id]]
        return id

    for node in nodes:
        for place in node.next:
            if place and (start := place.split(".")[0]) in root:
                root[find(node.id)] = find(start)
    found = defaultdict(list)
    for node in nodes:
        found[find(node.id)].append(node)
    return list(found.values())


def _signature(nodes: list[Node], trace: Trace, same: dict[str, str]) -> Signature | None:
    """Return what alike components have in common; None unless all nodes are of one iteration of a loop."""
    iterations = {_loops(trace, node.born)[:1] for node in nodes}
    if len(iterations) != 1 or not next(iter(iterations)):
        return None
    index = {node.id: number for number, node in enumerate(nodes)}

    def seen(place: str | None) -> tuple[int | str, str]:
        id, _, output = (place or "").partition(".")
        return index.get(id, same.get(id, id)), output

    return tuple((trace.steps[one.born].line, one.name, *map(seen, one.next)) for one in nodes)


def _fold(trace: Trace, nodes: list[Node], boxes: Boxes) -> None:
    """Fold the alike iterations in the middle of a graph that grows."""
    iterations = defaultdict(list)
    for node in nodes:
        for line, iteration in _loops(trace, node.born)[:1]:
            iterations[line, iteration].append(node)
    shapes = [
        (key, [(node.name, trace.steps[node.born].line) for node in one]) for key, one in iterations.items()
    ]
    for number, (_, run) in enumerate(groupby(shapes, key=lambda one: (one[0][0], one[1]))):
        alike = [key for key, _ in run][1:-1]
        if len(alike) < 2:
            continue
        id = f"f{number}"
        names = ", ".join(dict.fromkeys(node.name for node in iterations[alike[0]]))
        boxes.folded[id] = len(alike), names
        boxes.same.update((node.id, id) for key in alike for node in iterations[key])
