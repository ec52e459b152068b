"""Which nodes of a trace have one box: those of alike iterations of a loop.

A training loop records the same graph again in each iteration: one picture of it serves them all. A graph
that grows from iteration to iteration is one graph: its alike middle is folded into one box.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import groupby

from weaver.trace.model import Node, Trace

FOLD = 30  # boxes from which on a graph that grows in a loop is folded


@dataclass
class Boxes:
    """`same` maps an id to that of the box it has; `folded` the id of a fold to how often what repeats."""

    known: set[str]
    same: dict[str, str] = field(default_factory=dict)
    folded: dict[str, tuple[int, str]] = field(default_factory=dict)


def group(trace: Trace, titles: dict[str, str], births: dict[str, int]) -> Boxes:
    """Return the boxes of a trace; `titles` and `births` are those of its places."""
    boxes = Boxes({node.id for node in trace.nodes})
    _share_places(trace, titles, births, boxes.same)
    first = {}
    for nodes in _components(trace.nodes):
        if signature := _signature(nodes, trace, boxes.same):
            for old, node in zip(first.setdefault(signature, nodes), nodes, strict=True):
                if old is not node:
                    boxes.same[node.id] = old.id
    left = [node for node in trace.nodes if node.id not in boxes.same]
    if len(left) > FOLD:
        _fold(trace, left, boxes)
    return boxes


def _loops(trace: Trace, born: int):
    return trace.steps[born].loops if 0 <= born < len(trace.steps) else ()


def _share_places(trace, titles, births, same):
    """Give tensors without a node that each iteration makes anew one box."""
    inner = {saved.place: node.id for node in trace.nodes for saved in node.saved if saved.place}
    seen, first = defaultdict(int), {}
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
        key += (seen[key, iterations, place in inner],)
        seen[key[:-1], iterations, place in inner] += 1
        if (old := first.setdefault(key, place)) != place:
            same[place] = old


def _components(nodes: list[Node]) -> list[list[Node]]:
    """Return the nodes that hang together, without regard to the leaves."""
    root = {node.id: node.id for node in nodes}

    def find(id):
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


def _signature(nodes, trace, same):
    """Return what tells a component from another; None unless it belongs to one iteration of a loop."""
    iterations = {_loops(trace, node.born)[:1] for node in nodes}
    if len(iterations) != 1 or not next(iter(iterations)):
        return None
    index = {node.id: number for number, node in enumerate(nodes)}

    def seen(place):
        id, _, output = (place or "").partition(".")
        return index.get(id, same.get(id, id)), output

    return tuple((trace.steps[one.born].line, one.name, *map(seen, one.next)) for one in nodes)


def _fold(trace, nodes, boxes):
    """Fold the alike iterations in the middle of a graph that grows."""
    iterations = defaultdict(list)
    for node in nodes:
        for line, iteration in _loops(trace, node.born)[:1]:
            iterations[line, iteration].append(node)
    shapes = [
        (key, [(node.name, trace.steps[node.born].line) for node in one]) for key, one in iterations.items()
    ]
    for number, (_, alike) in enumerate(groupby(shapes, key=lambda one: (one[0][0], one[1]))):
        alike = [key for key, _ in alike][1:-1]
        if len(alike) < 2:
            continue
        id = f"f{number}"
        names = ", ".join(dict.fromkeys(node.name for node in iterations[alike[0]]))
        boxes.folded[id] = len(alike), names
        boxes.same.update((node.id, id) for key in alike for node in iterations[key])
