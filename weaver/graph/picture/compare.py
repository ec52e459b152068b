"""What one graph has and another lacks."""

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from weaver.graph.recorded import Graph, GraphBox, GraphEdge


def differing(graph: Graph, others: Iterable[Graph]) -> set[str | GraphEdge]:
    """Return the boxes (by id) and edges of `graph` that the other graphs do not have as well.

    Two boxes are the same if they say the same; two edges if they say it between the same boxes.
    """

    def said(graph: Graph) -> dict[str | GraphEdge, object]:
        boxes: dict[str | GraphEdge, GraphBox] = {box.id: replace(box, id="") for box in graph.boxes}
        edges: dict[str | GraphEdge, object] = {
            edge: (boxes[edge.start].name, boxes[edge.end].name, replace(edge, start="", end=""))
            for edge in graph.edges
        }
        return {**boxes, **edges}

    ours = said(graph)
    found = set()
    for other in others:
        theirs = Counter(said(other).values())
        for key, what in ours.items():
            if theirs[what]:
                theirs[what] -= 1
            else:
                found.add(key)
    return found
