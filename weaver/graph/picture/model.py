"""The recorded graph as plain data: boxes, edges, the steps of the backward pass; folded; compared."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

FOLD = 10  # boxes from which on a graph is folded
LARGEST = 40  # boxes of the largest picture
# Operations that only look at the same values in another way; unnamed, they say nothing
VIEWS = {"t", "view", "transpose", "expand", "unsqueeze", "squeeze", "permute", "_unsafe_view", "alias"}


class TooLarge(Exception):
    """A graph with more boxes, `args[0]`, than a picture can show, folded as it is."""


@dataclass(frozen=True)
class Value:
    """One output: its names, its text when it was computed, and now if it was written to since."""

    names: tuple[str, ...]
    value: str
    dtype: str
    shape: tuple[int, ...]
    now: str | None = None


@dataclass(frozen=True)
class Saved:
    """What a node saved: `version` is the tensor's then, `now` the one at the end."""

    name: str
    value: str | None
    tensor: bool
    version: int | None
    now: int | None = None


@dataclass(frozen=True)
class Box:
    """A box of the picture.

    `kind` is `leaf`, `operation` (a node of the graph), `constant` (needs no gradient), `unrecorded`
    (computed without a node) or `folded`. `grad` is the text of `.grad` of a tensor that keeps one;
    `keeps` says whether it does. `inside` are the boxes that are folded into this one; `times` is how
    often they repeat.
    """

    id: str
    kind: str
    outputs: tuple[Value, ...] = ()
    node: str | None = None
    operation: str | None = None
    custom: bool = False
    saved: tuple[Saved, ...] = ()
    freed: bool = False
    keeps: bool = False
    grad: str | None = None
    hooks: int = 0
    inference: bool = False
    inside: tuple["Box", ...] = ()
    times: int = 1

    @property
    def name(self) -> str:
        """What the reader would call it: the last name of its first output, else its node."""
        named = [value.names[-1] for value in self.outputs if value.names]
        return named[0] if named else self.node or (self.outputs[0].value if self.outputs else "")

    @property
    def verb(self) -> str:
        """The operation without its overload: `pow`."""
        return (self.operation or "").split(".")[0]


@dataclass(frozen=True)
class Edge:
    """An edge in the direction of the calculation.

    `kind` is `recorded`, `constant` or `cut`; `why` says what cut it (`detach`, `no_grad`,
    `inference_mode`, `forward` of a custom Function, `operation`). `grad` is the gradient that
    went back along it, `received` what the node at its end had received and `local` the local
    derivative, each where there is one.
    """

    start: str
    end: str
    kind: str
    slot: int = 0
    output: int = 0
    why: str | None = None
    grad: str | None = None
    received: str | None = None
    local: str | None = None


@dataclass(frozen=True)
class Step:
    """One node's turn in the backward pass, as the engine took it.

    `received` are the gradients of its outputs. At a leaf, `before` and `after` are its `.grad`, and
    `frozen` says that it no longer requires grad, so that nothing is added.
    """

    at: str
    received: tuple[str | None, ...]
    before: str | None = None
    after: str | None = None
    frozen: bool = False


@dataclass(frozen=True)
class Graph:
    """Boxes in the order of the calculation, edges, the ids of the asked variables, backward steps.

    `passes` is how many backward passes went through it; `shares` are groups of ids of boxes whose
    tensors share storage; `raised` is the error that ended the pass whose steps these are, and
    `starts` are the ids of the boxes at which it began.
    """

    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    roots: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    passes: int = 0
    shares: tuple[tuple[str, ...], ...] = ()
    raised: str | None = None
    starts: tuple[str, ...] = ()

    def box(self, id: str) -> Box:
        """Return the box with the id, or the one into which it is folded. Raises KeyError."""
        for box in self.boxes:
            if box.id == id or any(inner.id == id for inner in box.inside):
                return box
        raise KeyError(id)


def read(recorded: str) -> Graph:
    """Return the graph that `subgraph.see` wrote as JSON."""
    data = json.loads(recorded)
    boxes = []
    for raw in data["boxes"]:
        raw["keeps"] = "grad" in raw
        raw["saved"] = tuple(Saved(**saved) for saved in raw.get("saved", ()))
        raw["outputs"] = tuple(_value(output) for output in raw["outputs"])
        boxes.append(Box(**raw))
    taken = {step["at"]: step for step in data["steps"]}
    edges = []
    for raw in data["edges"]:
        step, slot = taken.get(raw["to"], {}), raw["slot"]
        passed, local = step.get("passed", []), step.get("local", [])
        grad = passed[slot] if raw["kind"] == "recorded" and slot < len(passed) else None
        edges.append(
            Edge(
                raw["from"],
                raw["to"],
                raw["kind"],
                slot,
                raw["output"],
                raw.get("why"),
                grad,
                step["received"][0] if grad is not None and len(step["received"]) == 1 else None,
                local[slot] if grad is not None and slot < len(local) else None,
            )
        )
    steps = tuple(
        Step(
            step["at"],
            tuple(step["received"]),
            step.get("before"),
            step.get("after"),
            step.get("frozen", False),
        )
        for step in data["steps"]
    )
    shares = tuple(map(tuple, data["shares"]))
    roots, raised, starts = tuple(data["roots"]), data["raised"], tuple(data["starts"])
    return Graph(tuple(boxes), tuple(edges), roots, steps, data["passes"], shares, raised, starts)


def _value(raw):
    raw.pop("place")
    return Value(tuple(raw.pop("names")), shape=tuple(raw.pop("shape")), **raw)


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


def _ends(graph):
    """Return the edges into and out of each box."""
    into, out = {box.id: [] for box in graph.boxes}, {box.id: [] for box in graph.boxes}
    for edge in graph.edges:
        into[edge.end].append(edge)
        out[edge.start].append(edge)
    return into, out


def _pass_over_views(graph):
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


def _take_in_inputs(graph):
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
    inside = {}
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


def _fold_repetitions(graph, longest=6):
    """Fold the longest repetitions of up to `longest` boxes that follow each other in a line."""
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
    folded = {}  # id -> the box that stands for it
    for line in lines:
        at = 0
        while at < len(line):
            period, times = max(
                ((p, _repeats(line[at:], p)) for p in range(1, longest + 1)),
                key=lambda f: (f[0] * f[1], -f[0]),
            )
            if times > 3:
                group = line[at + period : at + period * (times - 1)]  # the first and the last stay
                stands = Box(group[0].id, "folded", inside=tuple(group), times=times - 2)
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


def _repeats(line, period):
    """Return how often the first `period` boxes of a line stand there one after the other."""
    names = [(box.node, len(box.inside)) for box in line]
    times = 1
    while names[times * period : (times + 1) * period] == names[:period]:
        times += 1
    return times if len(names) >= period else 0


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
