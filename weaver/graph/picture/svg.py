"""A graph -> an SVG: values go down in boxes, gradients come back up on the edges.

Everything in it is code or a number, so it has no language. The colors come by class,
from `render/assets/weaver.css`.
"""

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from weaver.graph.picture.layout import Point, lay_out
from weaver.graph.recorded import Graph, GraphBox, GraphEdge

TEXT, SMALL = 13, 11  # pixels; widths are those of a monospaced font, 0.6 of the size
LINE, SMALL_LINE, PAD = 17, 15, 8
WIDE = 420  # pixels from which on a picture is not scaled down to a phone but scrolled
GAP = 3.5  # pixels from an edge's middle to its forward and its backward line

Lines = list[tuple[str, str]]  # each with its class, which stands before it
Size = tuple[float, float]  # width and height


def draw(graph: Graph, marked: frozenset[str | GraphEdge] = frozenset()) -> str:
    """Return the picture of a graph as SVG; `marked` are the ids of boxes, and edges, to point out."""
    texts = {box.id: box_lines(box) for box in graph.boxes}
    labels = {f"e{number}": label_lines(edge, graph) for number, edge in enumerate(graph.edges)}
    labels = {part: lines for part, lines in labels.items() if lines}
    seeds = {f"s{root}": [("grad", seed)] for root, seed in starts(graph).items()}
    told = {**texts, **labels, **seeds}
    sizes = {part: _size(lines) for part, lines in told.items()}
    pieces: list[tuple[str, str]] = []  # (start, end) of what Graphviz draws: two to an edge with a label
    for number, edge in enumerate(graph.edges):
        stops = [edge.start, f"e{number}", edge.end] if f"e{number}" in labels else [edge.start, edge.end]
        pieces += pairwise(stops)
    pieces += [(part[1:], part) for part in seeds]
    layout = lay_out(sizes, pieces)
    curves = iter(layout.curves)
    paths: dict[str, str] = {}  # what is drawn in one style, by its classes: one element each
    for number, edge in enumerate(graph.edges):
        points = [next(curves), next(curves)] if f"e{number}" in labels else [next(curves)]
        _edge(paths, edge, points, edge in marked)
    for _ in seeds:
        _line(paths, [next(curves)], 0, "backward")
    for box in graph.boxes:
        kind = f"box {box.kind}" + " root" * (box.id in graph.roots) + " differs" * (box.id in marked)
        radius = 14 if box.kind in ("leaf", "constant") else 4
        _add(paths, kind, _frame(layout.centres[box.id], sizes[box.id], radius))
    drawn = [f'<path class="{kind}" d="{path}"/>' for kind, path in paths.items()]
    drawn += (_text(lines, layout.centres[part], sizes[part]) for part, lines in told.items())
    width, height = _round(layout.width + 8), _round(layout.height + 8)
    wide = ' class="wide"' if layout.width > WIDE else ""
    return (
        f'<svg viewBox="-4 -4 {width} {height}" width="{width}" height="{height}"{wide} '
        f'aria-hidden="true">{"".join(drawn)}</svg>'
    )


def starts(graph: Graph) -> dict[str, str]:
    """Return the gradients that came from outside of the picture: of asked variables, and of starts.

    A box that got one along an edge as well is left out: what it received is a sum.
    """
    recorded = [edge for edge in graph.edges if edge.kind == "recorded"]
    inner, fed = {edge.start for edge in recorded}, {one.start for one in recorded if one.grad is not None}
    boxes = {box.id for box in graph.boxes}
    entries = [root for root in graph.roots if root not in inner]
    entries += [start for start in graph.starts if start in boxes - fed and start not in entries]
    received = {step.at: step.received for step in graph.steps}
    return {
        entry: seed
        for entry in entries
        if len(taken := received.get(entry, ())) == 1 and (seed := taken[0]) is not None
    }


def box_lines(box: GraphBox) -> Lines:
    """Return what stands in a box: lines, each with its class."""
    if box.kind == "folded":
        period = box.inside[: len(box.inside) // box.times]
        return [("value", f"× {box.times}"), *(("node", inner.node or "") for inner in period)]
    lines = []
    for value in box.outputs[:4]:
        name = " = ".join(value.names[-2:])
        text = value.value + (f" → {value.now}" if value.now else "")
        lines.append(("value", f"{name} = {text}" if name else text))
    if len(box.outputs) > 4:
        lines.append(("node", f"… {len(box.outputs)}"))
    dtype = box.outputs[0].dtype if box.outputs else "float32"
    if box.kind != "operation" and dtype != "float32":
        lines.append(("node", dtype))
    if box.kind == "unrecorded":
        lines.append(("node", box.verb))
    if box.inference:
        lines.append(("node", "is_inference()"))
    if box.node:
        lines.append(("node", box.node))
    if box.kind == "leaf":
        lines.append(("node", "AccumulateGrad"))
    lines += [
        ("input", f"{inner.name} {inner.outputs[0].value}" if inner.outputs else inner.name)
        for inner in box.inside
    ]
    kept = [saved for saved in box.saved if saved.tensor]
    changed = [saved for saved in kept if saved.now != saved.version]
    if kept:
        lines.append(("saved freed" if box.freed else "saved", ", ".join(saved.name for saved in kept)))
    lines += [("changed", f"{saved.name}._version {saved.version} → {saved.now}") for saved in changed]
    if box.hooks:
        lines.append(("node", f"hook × {box.hooks}"))
    if box.keeps:
        lines.append(("grad", f".grad = {box.grad}"))
    return lines


def label_lines(edge: GraphEdge, graph: Graph) -> Lines:
    """Return what stands on an edge: the gradient and how it came about, or what cut it."""
    if edge.kind == "cut":
        return [("cut", "//" if edge.why in ("operation", graph.box(edge.end).verb) else f"// {edge.why}")]
    if edge.grad is None:
        return []
    if edge.local is None or edge.received is None:
        return [("grad", edge.grad)]
    return [("grad", edge.grad), ("local", f"{edge.received} × {edge.local}")]


def _size(lines: Lines) -> Size:
    width = max(
        len(text) * 0.6 * (SMALL if _small(kind) else TEXT) + 11 * ("saved" in kind) for kind, text in lines
    )
    return width + 2 * PAD, sum(SMALL_LINE if _small(kind) else LINE for kind, _ in lines) + PAD


def _small(kind: str) -> bool:
    return kind not in ("value", "grad")


def _round(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _frame(centre: Point, size: Size, radius: int) -> str:
    """Return the path around a box: from the left end of its upper side, clockwise."""
    (x, y), (width, height) = centre, size
    rx, ry = min(radius, width / 2), min(radius, height / 2)
    across, down, arc = _round(width - 2 * rx), _round(height - 2 * ry), f"a{_round(rx)} {_round(ry)} 0 0 1"
    start, (h, v) = f"M{_round(x - width / 2 + rx)} {_round(y - height / 2)}", (_round(rx), _round(ry))
    return f"{start}h{across}{arc} {h} {v}v{down}{arc}-{h} {v}h-{across}{arc}-{h}-{v}v-{down}{arc} {h}-{v}Z"


def _text(lines: Lines, centre: Point, size: Size) -> str:
    """Return the lines of text around `centre`."""
    (x, y), drawn = centre, []
    y -= size[1] / 2 - PAD / 2
    for kind, text in lines:
        y += SMALL_LINE if _small(kind) else LINE
        mark = "▪ " * ("saved" in kind)
        drawn.append(f'<text x="{_round(x)}" y="{_round(y - 4)}" class="{kind}">{mark}{escape(text)}</text>')
    return "".join(drawn)


def _edge(paths: dict[str, str], edge: GraphEdge, pieces: Sequence[Sequence[Point]], marked: bool) -> None:
    """Add an edge to the paths; between its two pieces is its label."""
    kind = "forward" if edge.kind == "recorded" else edge.kind
    both = edge.grad is not None
    _line(paths, pieces, -GAP if both else 0, kind, marked)
    if both:
        _line(paths, pieces, GAP, "backward", marked)


def _line(
    paths: dict[str, str], pieces: Sequence[Sequence[Point]], shift: float, kind: str, marked: bool = False
) -> None:
    """Add curves, moved to the right by `shift`, with a head at the end (or, backward, at the start)."""
    pieces = [[(x + shift, y) for x, y in points] for points in pieces]
    curves = "".join(f"M{_pairs(points[:1])}C{_pairs(points[1:])}" for points in pieces)
    _add(paths, kind + " differs" * marked, curves)
    points = pieces[0] if kind == "backward" else pieces[-1][::-1]
    tip, tail = points[0], next((point for point in points[1:] if point != points[0]), points[0])
    dx, dy = tip[0] - tail[0], tip[1] - tail[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1  # 0 if all points are the same
    dx, dy = 7 * dx / length, 7 * dy / length
    left, right = (tip[0] - dx - dy / 2, tip[1] - dy + dx / 2), (tip[0] - dx + dy / 2, tip[1] - dy - dx / 2)
    _add(paths, f"{kind} head", f"M{_pairs([tip, left, right])}Z")


def _add(paths: dict[str, str], kind: str, path: str) -> None:
    paths[kind] = paths.get(kind, "") + path


def _pairs(points: Sequence[Point]) -> str:
    return " ".join(f"{_round(x)} {_round(y)}" for x, y in points)
