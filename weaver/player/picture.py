"""A trace's nodes and edges -> one SVG, laid out once for the end; the player inks it step by step.

What stands in a box or on an edge at a step is set by the player (`view/graph.js`); here is found how
much room it will ever need. `data-place` names a box (`n0`, `l2`, `p3`, `f0`), `data-edge` an edge
(`n0/1`: the input 1 of `n0`), `data-born` the step after which a thing is there.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from math import prod

from weaver.graph.picture.layout import can_lay_out, lay_out
from weaver.player.boxes import Boxes, group
from weaver.recording.compact import shape_of
from weaver.recording.model import Edge, Event, Range, Trace, Value

LARGEST = 60  # boxes of the largest picture
LETTER, SMALL = 7.8, 6.6  # pixels of a letter at 13 and at 11 pixels
LINE, PAD = 16, 8  # pixels of a line of text, and around the text
ROOM = 26  # letters of a value; of a longer one the shape is written
EXACT = 1e9  # whole numbers up to it are not rounded, such as an index
NAMES = 2  # of a tensor's names, how many are written into its box
Point = tuple[float, float]  # in pixels; as a size, width and height


@dataclass(frozen=True)
class Picture:
    """The SVG (empty if there is nothing to draw, or too much: `boxes` says how many that are).

    `same` maps the id of what has no box of its own to the one that stands for it.
    """

    svg: str = ""
    boxes: int = 0
    same: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class PictureBox:
    """A box: `kind` is leaf, node, constant or folded; `texts` the widest text that each line will have."""

    kind: str
    born: int
    title: str = ""
    node: str = ""
    texts: list[str] = field(default_factory=list)


def short(value: Value) -> str:
    """Return a value as it stands in the picture: a number, a few of them, or the shape. As `short` in JS."""
    if value is None:
        return "None"
    if isinstance(value, Range):
        return _tuple(value.shape)
    if not isinstance(value, list):
        return _number(value)
    shape = shape_of(value)
    text = _listed(value) if 3 * prod(shape) <= ROOM else ""  # a number and `, `
    return text if text and len(text) <= ROOM else _tuple(shape)


def _listed(value: Value) -> str:
    return f"[{', '.join(map(_listed, value))}]" if isinstance(value, list) else _number(value)


def _tuple(shape: Sequence[int]) -> str:
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"


def _number(value: object) -> str:
    if not isinstance(value, float | int) or isinstance(value, bool):
        return str(value)
    return f"{value:.5g}" if value % 1 or value > EXACT else str(int(value))


def draw(trace: Trace) -> Picture:
    """Return the picture of all that a trace recorded of the graph."""
    boxes, edges, same = _things(trace)
    if not edges or len(boxes) > LARGEST or not can_lay_out():
        return Picture(boxes=len(boxes) if edges else 0)
    _measure(trace, boxes, same)
    labels = _labels(trace, edges, same)
    sizes = {id: _size(box.texts) for id, box in boxes.items()}
    sizes |= {edge: _size(texts) for edge, texts in labels.items()}
    pieces: list[tuple[str, str]] = []
    for name, edge in edges.items():
        stops = [edge.start, name, edge.end] if name in labels else [edge.start, edge.end]
        pieces += pairwise(stops)
    layout = lay_out(sizes, pieces)
    curves, drawn = iter(layout.curves), []
    for name, edge in edges.items():
        points = list(next(curves))
        if name in labels:
            after = next(curves)
            points += [points[-1], after[0], *after]
        drawn.append(_edge(name, edge, points))
    for name in labels:
        (x, y), (width, height) = layout.centres[name], sizes[name]
        lines = "".join(
            f'<text x="{x:g}" y="{y - height / 2 + PAD / 2 + LINE * (i + 0.75):g}" class="{kind}"/>'
            for i, kind in enumerate(("grad", "local")[: len(labels[name])])
        )
        drawn.append(f'<g class="label" data-label="{name}">{_frame((x, y), (width, height), 0)}{lines}</g>')
    drawn += [_box(id, box, layout.centres[id], sizes[id]) for id, box in boxes.items()]
    width, height = layout.width + 8, layout.height + 8
    svg = (
        f'<svg viewBox="-4 -4 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'aria-hidden="true">{"".join(drawn)}</svg>'
    )
    return Picture(svg, len(boxes), same)


def _things(trace: Trace) -> tuple[dict[str, PictureBox], dict[str, Edge], dict[str, str]]:
    """Return what is drawn: boxes by id, edges by name, and which ids have another's box."""
    titles, births = _names(trace)
    found: Boxes = group(trace, titles, births)
    same = found.same
    boxes = {}
    edges: dict[str, Edge] = {}

    def add(place: str, born: int) -> str:
        id = place.split(".")[0]
        id = same.get(id, id)
        if id not in boxes:
            kind = {"l": "leaf", "p": "constant"}.get(id[0], "folded")
            boxes[id] = PictureBox(kind, min(births.get(id, born), born), titles.get(id, ""))
        return id

    for node in trace.nodes:
        id = same.get(node.id, node.id)
        if id not in boxes and id[0] == "n":
            boxes[id] = PictureBox("node", node.born, titles.get(id, ""), node.name)
    for node in trace.nodes:
        end = same.get(node.id, node.id)
        if end[0] == "f" and end not in boxes:
            boxes[end] = PictureBox("folded", node.born, f"× {found.folded[end][0]}", found.folded[end][1])
        for slot, place in enumerate(node.next):
            if place and (place[0] == "l" or place.split(".")[0] in found.known):
                start = add(place, node.born)
                name = f"{end}/{slot}" if end[0] == "n" else f"{end}/{start}"
                if start != end:
                    edges.setdefault(name, Edge(start, end, "", node.born))
    for edge in trace.edges:
        start, end = add(edge.start, edge.born), add(edge.end, edge.born)
        if start != end and end[0] != "f":
            edges.setdefault(f"{start}>{end}", Edge(start, end, edge.why, edge.born))
    linked = {end for edge in edges.values() for end in (edge.start, edge.end)}
    return {id: box for id, box in boxes.items() if id in linked}, edges, same


def _names(trace: Trace) -> tuple[dict[str, str], dict[str, int]]:
    """Return the titles of all places, by the box that they are in, and the step of their first sight."""
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    births: dict[str, int] = {}
    for number, tensors in enumerate([trace.before, *(step.tensors for step in trace.steps)], -1):
        for name, facts in tensors.items():
            if facts.place:
                id = facts.place.split(".")[0]
                births.setdefault(id, number)
                seen[id][name] += 1
    titles = {}
    for id, names in seen.items():
        best = [name for name in names if not name.startswith("self.")] or list(names)
        best.sort(key=lambda name: (-names[name], len(name)))
        titles[id] = " = ".join(best[:NAMES])
    return titles, births


def _measure(trace: Trace, boxes: dict[str, PictureBox], same: dict[str, str]) -> None:
    """Note in each box the widest texts that it will ever hold."""
    values, grads, saved = (defaultdict[str, str](str) for _ in range(3))

    def note(found: dict[str, str], place: str, text: str) -> None:
        id = place.split(".")[0]
        id = same.get(id, id)
        found[id] = max(found[id], text, key=len)

    for step in trace.steps:
        for name, facts in step.tensors.items():
            note(values, facts.place, short(facts.value))
            if grad := step.tensors.get(f"{name}.grad"):
                note(grads, facts.place, short(grad.value))
        for event in step.events:
            if event.kind == "visit" and event.node and event.node[0] == "l":
                note(grads, event.node, max(short(event.after), short(event.before), key=len))
    for node in trace.nodes:
        kept = [one for one in node.saved if one.place or one.packed]
        note(saved, node.id, ", ".join(one.name for one in kept))
        for one in kept:
            if one.place and one.place[0] != "l":  # what has no name has its value from who saved it
                note(values, one.place.split(".")[0], short(one.value))
    moved = any(facts.version for step in trace.steps for facts in step.tensors.values())
    for id, box in boxes.items():
        box.texts = _texts(box, values[id], grads[id], saved[id] and saved[id] + " v0 → v1" * moved)


def _texts(box: PictureBox, value: str, grad: str, saved: str) -> list[str]:
    """Return the lines of a box, at their widest."""
    title = f"{box.title} = {value}" if box.title and value else box.title or value
    texts = [title] * bool(title) + [box.node] * bool(box.node)
    if box.kind == "leaf":
        texts.append(f".grad = {grad or 'None'}")
    if box.kind == "node" and saved:
        texts.append("▪ " + saved)
    return texts


def _labels(trace: Trace, edges: dict[str, Edge], same: dict[str, str]) -> dict[str, list[str]]:
    """Return what the edges will have written on them: the widest texts."""
    labels: dict[str, list[str]] = {}
    for step in trace.steps:
        for event in step.events:
            if event.kind == "visit" and event.node and event.node[0] == "n":
                end = same.get(event.node, event.node)
                for slot, passed in enumerate(event.passed or ()):
                    name = f"{end}/{slot}"
                    if name in edges and passed is not None:
                        labels[name] = _widest(labels.get(name, []), _on_edge(event, slot, passed))
    cuts = {name: ["// " + edge.why] for name, edge in edges.items() if edge.why not in ("", "constant")}
    return labels | cuts


def _on_edge(event: Event, slot: int, passed: Value) -> list[str]:
    local = event.local[slot] if event.local and slot < len(event.local) else None
    if local is None or not event.received or len(event.received) != 1:
        return [short(passed)]
    return [short(passed), f"{short(event.received[0])} × {short(local)}"]


def _widest(old: list[str], new: list[str]) -> list[str]:
    both = zip(old + [""] * len(new), new + [""] * len(old), strict=False)
    return [max(pair, key=len) for pair in both if any(pair)]


def _size(texts: Sequence[str]) -> Point:
    widths = [len(text) * (LETTER if number == 0 else SMALL) for number, text in enumerate(texts)]
    return max(widths, default=20) + 2 * PAD, LINE * len(texts) + PAD


def _frame(centre: Point, size: Point, radius: int) -> str:
    (x, y), (width, height) = centre, size
    corner = f'x="{x - width / 2:g}" y="{y - height / 2:g}"'
    return f'<rect {corner} width="{width:g}" height="{height:g}" rx="{radius}"/>'


def _box(id: str, box: PictureBox, centre: Point, size: Point) -> str:
    """Return a box; the player fills the lines of class `value`, `grad` and `saved`."""
    (x, y), lines = centre, []
    kinds = ["value"] * (len(box.texts) > 0 and box.texts[0] != box.node)
    kinds += ["node"] * bool(box.node)
    kinds += [{"leaf": "grad", "node": "saved"}.get(box.kind, "")] * (len(box.texts) - len(kinds))
    for number, kind in enumerate(kinds):
        top = y - size[1] / 2 + PAD / 2 + LINE * (number + 0.75)
        text = box.node if kind == "node" else box.title if box.kind == "folded" else ""
        lines.append(f'<text x="{x:g}" y="{top:g}" class="{kind}">{escape(text)}</text>')
    frame = _frame(centre, size, 12 if box.kind in ("leaf", "constant") else 3)
    title = escape(box.title)
    return (
        f'<g class="box {box.kind}" data-place="{id}" data-born="{box.born}" data-title="{title}">'
        f"{frame}{''.join(lines)}</g>"
    )


def _edge(name: str, edge: Edge, points: Sequence[Point]) -> str:
    """Return an edge with a head at its end, and one at its start for the way back."""
    pairs = [f"{x:g} {y:g}" for x, y in points]
    kind = "recorded" if not edge.why else "constant" if edge.why == "constant" else "cut"
    heads = (
        _head(points[-1], points[-2])
        if kind != "recorded"
        else (_head(points[-1], points[-2]) + _head(points[0], points[1], " back"))
    )
    cut = f' data-cut="// {edge.why}"' if kind == "cut" else ""
    return (
        f'<g class="edge {kind}" data-edge="{name}" data-born="{edge.born}"{cut}>'
        f'<path d="M{pairs[0]}C{" ".join(pairs[1:])}"/>{heads}</g>'
    )


def _head(tip: Point, tail: Point, kind: str = "") -> str:
    dx, dy = tip[0] - tail[0], tip[1] - tail[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1
    dx, dy = 7 * dx / length, 7 * dy / length
    left, right = (tip[0] - dx - dy / 2, tip[1] - dy + dx / 2), (tip[0] - dx + dy / 2, tip[1] - dy - dx / 2)
    corners = " ".join(f"{x:.1f} {y:.1f}" for x, y in (tip, left, right))
    return f'<path class="head{kind}" d="M{corners}Z"/>'
