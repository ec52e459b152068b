"""The recorded graph as plain data: boxes, edges, the steps of the backward pass."""

import json
from dataclasses import dataclass


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
    `frozen` says that it no longer requires grad, so that nothing is added. `visit` are the number of
    the pass among the program's, and that of the turn in the pass, both from 0.
    """

    at: str
    received: tuple[str | None, ...]
    before: str | None = None
    after: str | None = None
    frozen: bool = False
    visit: tuple[int, int] | None = None


@dataclass(frozen=True)
class Graph:
    """Boxes in the order of the calculation, edges, the ids of the asked variables, backward steps.

    `shares` are groups of ids of boxes whose tensors share storage; `raised` is the error that ended the
    pass whose steps these are, and `starts` are the ids of the boxes at which it began.
    """

    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    roots: tuple[str, ...]
    steps: tuple[Step, ...] = ()
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
            tuple(step["visit"]),
        )
        for step in data["steps"]
    )
    shares = tuple(map(tuple, data["shares"]))
    roots, raised, starts = tuple(data["roots"]), data["raised"], tuple(data["starts"])
    return Graph(tuple(boxes), tuple(edges), roots, steps, shares, raised, starts)


def _value(raw):
    raw.pop("place")
    return Value(tuple(raw.pop("names")), shape=tuple(raw.pop("shape")), **raw)
