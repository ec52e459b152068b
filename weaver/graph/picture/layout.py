"""Boxes with sizes and the edges between them -> where they stand, by Graphviz. Sizes in pixels."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec

INCH = 72  # Graphviz gives sizes in inches and places in points; a point is drawn as a pixel

Point = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """Where things stand: each box's centre, each edge as the points of a cubic Bézier curve."""

    width: float
    height: float
    centres: Mapping[str, Point]
    curves: tuple[tuple[Point, ...], ...]


def can_lay_out() -> bool:
    """Tell whether Graphviz is there: tracing a program doesn't need it."""
    return find_spec("pygraphviz") is not None


def lay_out(sizes: Mapping[str, tuple[float, float]], edges: Iterable[tuple[str, str]]) -> Layout:
    """Place boxes of the given sizes (width, height) from top to bottom, along the edges.

    The same input gives the same places: no text is measured, so no machine's fonts matter.
    """
    import pygraphviz  # here, because a build with nothing new draws nothing

    graph = pygraphviz.AGraph(directed=True, strict=False, rankdir="TB", nodesep="0.2", ranksep="0.24")
    for name, (width, height) in sizes.items():
        size = {"width": f"{width / INCH:.4f}", "height": f"{height / INCH:.4f}"}
        graph.add_node(name, shape="box", fixedsize="true", label="", **size)
    edges = list(edges)
    for number, (start, end) in enumerate(edges):
        graph.add_edge(start, end, key=str(number), arrowhead="none")
    graph.layout(prog="dot")
    left, bottom, right, top = map(float, graph.graph_attr["bb"].split(","))

    def point(text: str) -> Point:
        x, y = map(float, text.split(","))
        return round(x - left, 1), round(top - y, 1)

    centres = {name: point(graph.get_node(name).attr["pos"]) for name in sizes}
    curves = tuple(
        tuple(map(point, graph.get_edge(start, end, key=str(number)).attr["pos"].split()))
        for number, (start, end) in enumerate(edges)
    )
    return Layout(right - left, top - bottom, centres, curves)
