"""What a watched run of a program was, as plain data: no torch in here.

A place is where a tensor stands in the graph: `n7.0` is output 0 of the node `n7`, `l2` the leaf 2 that
requires grad, `p3` a tensor without history. A value is a number, a nested list of numbers, a `Range`
where there are too many to list, or None where it cannot be read; in it nan and the infinities are the
texts `nan`, `inf` and `-inf`, and a complex number is a text such as `1+2j`.
"""

from dataclasses import dataclass, field, replace

from weaver.recording.acts import Act


@dataclass(frozen=True, slots=True)
class Range:
    """A tensor with more elements than are listed; `nan`, `inf` and (of a gradient) `zero` count elements."""

    shape: tuple[int, ...]
    min: float | str | None = None
    max: float | str | None = None
    mean: float | str | None = None
    nan: int = 0
    inf: int = 0
    zero: int = 0


Value = float | int | bool | str | list["Value"] | Range | None


@dataclass(frozen=True, slots=True)
class TensorState:
    """A tensor after a step. `storage` is equal where the storage is; None where there is none.

    `version` is None for an inference tensor, which counts none.
    """

    value: Value
    shape: tuple[int, ...] = ()
    dtype: str = "float32"
    device: str = "cpu"
    requires_grad: bool = False
    is_leaf: bool = True
    place: str = ""
    grad_fn: str | None = None
    version: int | None = 0
    storage: int | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """What a node saved for backward: a tensor at a place and a version, or a number (no place).

    `packed` says that a saved-tensor hook of the program holds it, and that it was left alone.
    """

    name: str
    value: Value = None
    place: str | None = None
    version: int | None = None
    packed: bool = False

    @property
    def is_tensor(self) -> bool:
        """Whether it is a tensor, also one that could not be had any more."""
        return self.place is not None or self.value is None


@dataclass(slots=True)
class Node:
    """A node of the graph; `next` are the places of its inputs, None for one that needs no gradient.

    `born` is the index of the step after which it was there, -1 if it was before the first. `made` is the
    index of the step whose line recorded it, -1 if that isn't a step; None if that's the step `born`, or none
    where it has a gap before it.
    """

    id: str
    name: str
    custom: bool = False
    next: tuple[str | None, ...] = ()
    saved: tuple[Saved, ...] = ()
    born: int = 0
    made: int | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A way that data went and a gradient does not: from a place to a place or a node, `born` with a step.

    `why` is `detach`, what switched recording off, such as `no_grad`, `forward` (of a custom Function) or
    `backward` (within a pass that creates no graph) where the path was cut, `operation` where the operation
    has no gradient, `constant` where a tensor without history went into a recorded node.
    """

    start: str
    end: str
    why: str
    born: int = 0


@dataclass(slots=True)
class Event:
    """Something that the engine did, in its own order; `run` counts the calls of the engine from 0.

    `start`: the run that the function `of` of torch began (`backward` or `grad`), called in a line of the
    `depth`, starts at `node` (a place) with the gradients `received`.
    `visit`: `node` (a node's or a leaf's id; `name` if it isn't among the nodes) took `received`, gave
    `passed`; at a leaf `.grad` was
    `before` and became `after`; `local` are the derivatives for its inputs, where they are scalars.
    `hook`: the hook `name`, of kind `of` (tensor, node before, node after, post-accumulate, module),
    ran at `node` with `received` and returned `passed`.
    `freed`: the nodes in `freed` let go what they had saved.
    `failed`: the error `text` came at `node` (`of` this name, if it isn't among the nodes), where the run
    can't start if that's a tensor's place; it wanted the version `wanted` of what it had saved as `name`, in
    the `storage`, and met the version `met`.
    """

    kind: str
    run: int
    node: str | None = None
    of: str | None = None
    name: str | None = None
    received: list[Value] | None = None
    passed: list[Value] | None = None
    local: list[Value] | None = None
    before: Value = None
    after: Value = None
    freed: list[str] | None = None
    text: str | None = None
    wanted: int | None = None
    met: int | None = None
    storage: int | None = None
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """What was left out before a step: how many `steps`, what they `printed`, how many `iterations`.

    These are of the loop at `line`; None if the steps before and after aren't in one loop. `recorded` steps
    were, but there were too many to keep. In the gap, the engine began to run `runs` times.
    """

    steps: int
    printed: str = ""
    line: int | None = None
    iterations: int = 0
    recorded: int = 0
    runs: int = 0


@dataclass(frozen=True, slots=True)
class NoGradient:
    """Why the `.grad` of the tensor called `name` is None although a backward pass has ended.

    `why`: it's `intermediate`; or `plain` and doesn't require a gradient, perhaps because it was `made` so in
    the `line`, cut off `by` something such as `detach()`; or it's `apart`, as nothing leads to it from where
    the last pass started, at the place `root`; or the `line` `cut` that path, `by` something; or an
    `operation` in it did, which has no derivative. `start`: the engine couldn't start there, as the `line`
    cut it off `by` something.
    """

    name: str
    why: str
    root: str = ""
    line: int | None = None
    by: str = ""


@dataclass(slots=True)
class Step:
    """A line that ran, and the whole state after it.

    `line` is the first of its statement, `depth` the number of the program's own functions around it
    and `function` the innermost of them. `printed` is what came out since the step before; of a long text the
    middle is replaced by `[… N …]`, N bytes. `tensors`
    maps each name to what it leads to, names of the module first, and `before` what those of its own
    function led to before the line, None if that's the state after the function's step before;
    the names in `given` lead to arguments that the caller hadn't named. `missing` are the gradients that
    the line read, or the program ends with, and that are None. `hidden` maps the name of a container
    to how many of its elements were not looked at. `loops` are the loops around the line, outermost
    first: the line of each and the iteration, from 0. `raised` is the error that left the line. If acts are
    asked for, `numbers` are plain ones that it set, it `returns` what requires grad, and operations weren't
    recorded, as that was `off`, or in a custom `forward` or `backward`. `skipped` counts the nodes that the
    engine ran, if only its events at leaves are there.
    """

    line: int
    depth: int = 0
    function: str | None = None
    printed: str = ""
    tensors: dict[str, TensorState] = field(default_factory=dict)
    hidden: dict[str, int] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    loops: tuple[tuple[int, int], ...] = ()
    raised: str | None = None
    gap: Gap | None = None
    before: dict[str, TensorState] | None = None
    given: tuple[str, ...] = ()
    missing: tuple[NoGradient, ...] = ()
    numbers: dict[str, float | str] = field(default_factory=dict)
    returns: bool = False
    off: str = ""
    skipped: int = 0


def id_of(place: str) -> str:
    """Return the id of the node or leaf that a place belongs to."""
    return place.partition(".")[0]


def maker(node: Node, steps: list[Step]) -> int:
    """Return the index of the step whose line recorded a node, -1 if that isn't a step."""
    if node.made is not None:
        return node.made
    return node.born if 0 <= node.born < len(steps) and not steps[node.born].gap else -1


def made_in(node: Node, made: int, steps: list[Step]) -> Node:
    """Return a node that the line of the step with this index recorded."""
    plain = replace(node, made=None)
    return plain if maker(plain, steps) == made else replace(node, made=made)


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why a program did not come to its end, and the number that `words.stopped` says of it.

    It `used` so many seconds of processor time, was `idle` for them, or ran for them (`late`, where nobody
    tells more); `printed`: so many MiB came out; it took its trace with it when
    it was ended by a `signal`, or ended itself with the code `exit`.
    """

    why: str
    number: float


@dataclass(frozen=True, slots=True)
class Note:
    """Why something is missing in a trace, as `words.note` says it.

    `settrace`: Python stopped calling the recorder in `line`, as the program set a trace function or ran out
    of stack; `failed`: recording failed after `line` with the error `text`; `interrupted`: a signal's handler
    raised an error while `line` was noted; `missing`: this torch has no `text`, which was needed; `nested`:
    the program's text is too deeply nested; `start`, `end`: watching was to begin or end at `text`, which was
    never reached; `steps`, `bytes`: `n` recorded steps aren't there, as there were too many, or too many for
    a page, and the option `text` keeps more; `unwatched`: `n` weren't watched, and `text` chooses what is;
    `listed`: for a page, elements are listed of tensors that have at most `n`.
    """

    why: str
    line: int | None = None
    text: str = ""
    n: int = 0


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the program's own beside the program, and the number that its first line has in the trace."""

    name: str
    first: int
    text: str = ""


@dataclass(slots=True)
class Trace:
    """A watched run. `error` is `Type: text` or None; `stopped` why it was cut off, or None.

    `before` is what the names led to before the first line: of a cell, what earlier cells left there.
    `printed_at_end` came out after the last step, the error's traceback apart. At least `nodes_hidden`
    nodes and `edges_hidden` edges are missing; `notes` say what else is, and why. The lines of `files` have
    numbers after the program's. If a module has more tensors than a state lists, `names` has the names
    of its leaves, by their places. `acts` are there if they were asked for.
    """

    torch: str
    program: str
    error: str | None = None
    stopped: Stopped | None = None
    before: dict[str, TensorState] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    printed_at_end: str = ""
    nodes_hidden: int = 0
    edges_hidden: int = 0
    notes: list[Note] = field(default_factory=list)
    files: list[SourceFile] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    acts: list[Act] = field(default_factory=list)
