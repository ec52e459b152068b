"""What a program's process tells of graphs and storages, and pictures are drawn from; written and read as
JSON here alone."""

from typing import TypeVar

import msgspec

from weaver.recording.memory import Memory

Recorded = TypeVar("Recorded", "Graph", Memory)


class BoxOutput(msgspec.Struct, frozen=True):
    """One output: its names, its text when it was computed, and now if it was written to since."""

    names: tuple[str, ...]
    value: str
    dtype: str
    shape: tuple[int, ...]
    now: str | None = None


class SavedValue(msgspec.Struct, frozen=True):
    """What a node saved: `version` is the tensor's then, `now` the one at the end."""

    name: str
    value: str | None
    tensor: bool
    version: int | None
    now: int | None = None


class GraphBox(msgspec.Struct, frozen=True):
    """A box of the picture.

    `kind` is `leaf`, `operation` (a node of the graph), `constant` (needs no gradient), `unrecorded`
    (computed without a node) or `folded`. `grad` is the text of `.grad` of a tensor that keeps one;
    `keeps` says whether it does. `inside` are the boxes that are folded into this one; `times` is how
    often they repeat.
    """

    id: str
    kind: str
    outputs: tuple[BoxOutput, ...] = ()
    node: str | None = None
    operation: str | None = None
    custom: bool = False
    saved: tuple[SavedValue, ...] = ()
    freed: bool = False
    keeps: bool = False
    grad: str | None = None
    hooks: int = 0
    inference: bool = False
    inside: tuple["GraphBox", ...] = ()
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


class GraphEdge(msgspec.Struct, frozen=True):
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


class BackwardStep(msgspec.Struct, frozen=True):
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


class Graph(msgspec.Struct, frozen=True):
    """Boxes in the order of the calculation, edges, the ids of the asked variables, backward steps.

    `shares` are groups of ids of boxes whose tensors share storage; `raised` is the error that ended the
    pass whose steps these are, and `starts` are the ids of the boxes at which it began.
    """

    boxes: tuple[GraphBox, ...]
    edges: tuple[GraphEdge, ...]
    roots: tuple[str, ...]
    steps: tuple[BackwardStep, ...] = ()
    shares: tuple[tuple[str, ...], ...] = ()
    raised: str | None = None
    starts: tuple[str, ...] = ()

    def box(self, id: str) -> GraphBox:
        """Return the box with the id, or the one into which it is folded. Raises KeyError."""
        for box in self.boxes:
            if box.id == id or any(inner.id == id for inner in box.inside):
                return box
        raise KeyError(id)


def write(recorded: Graph | Memory) -> str:
    """Return it as JSON."""
    return msgspec.json.encode(recorded).decode()


def read(text: str, kind: type[Recorded]) -> Recorded:
    """Return what `write` made JSON of. Raises ValueError if it is none of that kind."""
    return msgspec.json.decode(text, type=kind)
