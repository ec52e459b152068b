"""What one graph has and another lacks."""

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from weaver.graph.recorded import Graph


def differing(graph: Graph, others: Iterable[Graph]) -> set:
    """Return the boxes (by id) and edges of `graph` that the other graphs do not have as well.

    Two boxes are the same if they say the same; two edges if they say it between the same boxes.
    """

    def said(graph):
        boxes = {box.id: replace(box, id="") for box in graph.boxes}
        edges = {
            edge: (boxes[edge.start].name, boxes[edge.end].name, replace(edge, start="", end=""))
            for edge in graph.edges
        }
        return boxes, edges

    boxes, edges = said(graph)
    found = set()
    for other in others:
        other_boxes, other_edges = map(lambda part: Counter(part.values()), said(other))
        for mine, theirs in ((boxes, other_boxes), (edges, other_edges)):
            for key, what in mine.items():
                if theirs[what]:
                    theirs[what] -= 1
                else:
                    found.add(key)
    return found
