"""What a program calculated, operation by operation, as plain data for graphs: no torch in here.

A place is as in `model`; that of a tensor without a node has its version behind it: `l2.0`, `p3.1`.
"""

from dataclasses import dataclass, field

from weaver.recording.model import Event, Node, Value

SHORT, WIDE = 4, 24  # elements and characters of the longest tensor that is written in full


@dataclass(slots=True)
class Calculated:
    """A value when it was computed, as a short text, and the names that led to it, the last one last."""

    text: str
    shape: tuple[int, ...]
    dtype: str
    names: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation as ATen runs it: its name, the places of its inputs, what kept it from being recorded.

    `why` is as in `model.Edge`; `operation` if nothing did.
    """

    name: str
    inputs: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Turn:
    """The engine's visit to the node or leaf `at`; `frozen` is a leaf that no longer requires grad."""

    at: str
    event: Event
    frozen: bool = False


@dataclass(slots=True)
class Pass:
    """A backward pass: the nodes at which it started, its turns, the nodes it freed, the error's class."""

    starts: list[str]
    turns: list[Turn] = field(default_factory=list)
    freed: list[str] = field(default_factory=list)
    raised: str | None = None


@dataclass(frozen=True, slots=True)
class LiveTensor:
    """A tensor that was still there at the end: its `.grad`, if it `keeps` one, its hooks, its storage."""

    place: str
    text: str
    keeps: bool
    grad: str | None
    hooks: int
    storage: int | None
    is_inference: bool


@dataclass(slots=True)
class Calculation:
    """A whole run. `values` and `made` are by place, in the order of the run; `nodes` by id.

    `freed` are the nodes that hold nothing at the end, and `changed` the versions that were met of what a
    node saved at another.
    """

    values: dict[str, Calculated] = field(default_factory=dict)
    made: dict[str, Operation] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    passes: dict[int, Pass] = field(default_factory=dict)
    left: list[LiveTensor] = field(default_factory=list)
    freed: set[str] = field(default_factory=set)
    changed: dict[str, dict[str, int]] = field(default_factory=dict)


def box_of(place: str) -> str:
    """Return the box in which a place is drawn: outputs of a node share one, versions of a leaf as well."""
    return place if place[0] == "p" else place.split(".")[0]


def written(value: Value, shape: tuple[int, ...] | list[int]) -> str:
    """Return a short tensor's values, a longer one's shape such as `(8, 3)`."""
    size = 1
    for length in shape:
        size *= length
    if value is not None and size <= SHORT:
        text = _listed(value)
        if len(text) <= WIDE:
            return text
    return str(tuple(shape))


def _listed(value: Value) -> str:
    return f"[{', '.join(map(_listed, value))}]" if isinstance(value, list) else number(value)


def number(value: Value) -> str:
    """Return a number as a person would write it: five significant digits, no more than it has."""
    if isinstance(value, str) and value.endswith("j"):
        found = complex(value)
        return f"{found.real:.5g}{found.imag:+.5g}j"
    return f"{value:.5g}" if isinstance(value, float) else str(value)
