"""Notes each operation of a program, below autograd: what only a graph shows, such as values without a name.

It stands between the program and torch, so it does only where a graph is asked for. All notes are plain data,
made at once: no tensor and no node lives longer because it was noted.
"""

import re
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor

from weaver.recording import facts
from weaver.recording import tensors as t
from weaver.recording import torch_private as private
from weaver.recording.calculation import (
    SHORT,
    Calculated,
    Calculation,
    LiveTensor,
    Operation,
    Pass,
    Turn,
    box_of,
    written,
)
from weaver.recording.flow import cut
from weaver.recording.identity import Identity, Storages
from weaver.recording.model import Event
from weaver.recording.nodes import Nodes
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import error_line
from weaver.recording.reach import Reach

SHAPE_ONLY = re.compile(r"\w+_like\b|new_\w+")  # operations that read no value of their inputs
EVERY = 1 << 30  # nodes

Outputs = list[tuple[weakref.ref[Tensor], Calculated]]  # of an operation, as it gave them


class Operations(private.TorchDispatchMode):
    """Notes all operations while it is entered as a context, into the `calculation`.

    `names` are the variables of the program's module, and `reach` finds the tensors that they lead to.
    """

    def __init__(self, names: dict[str, Any], reach: Reach):
        super().__init__()
        self.names, self.reach = names, reach
        self.identity, self.storages = Identity(), Storages()
        self.nodes = Nodes(EVERY, SHORT, self.identity, self.storages)
        self.calculation = Calculation(nodes=self.nodes.known)
        self.broken: str | None = None  # the error of ours that ended it
        self._fresh: list[tuple[Operation, Outputs]] = []  # whose outputs autograd has not finished yet
        self._door = private.ForwardDoor()
        self._forwards: list[str | None] = []  # custom forwards that run: of each, what `cut` was around it

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Not by loading torch's compiler, which takes a second."""
        return False

    def __enter__(self) -> "Operations":
        self._door.open(self._apply)
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        self._door.close()

    def _apply(self, function: type, *args: Any, **kwargs: Any) -> Any:
        """Take the place of `Function.apply`, which switches recording off for `forward`."""
        self._forwards.append(cut())
        try:
            return self._door.forward(function, *args, **kwargs)
        finally:
            self._forwards.pop()

    def _noting(self, work: Callable[..., Any], *arguments: Any, instead: Any = None) -> Any:
        """Return what work of ours returns; the program hears nothing of an error in it.

        What it looks at is not counted: it doesn't change which iterations of a loop are watched.
        """
        looks = facts.looks
        with facts.aside():
            try:
                return work(*arguments)
            except Exception as error:
                self.broken = self.broken or error_line(error)
                return instead
            finally:
                facts.looks = looks

    def __torch_dispatch__(
        self, operation: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if self.broken:
            return operation(*args, **(kwargs or {}))
        inputs = self._noting(self._inputs, args, kwargs, instead=[])
        name = operation.name().removeprefix("aten::")
        why = "detach" if name.startswith("detach") else self._cut() or "operation"
        result = operation(*args, **(kwargs or {}))
        made = Operation(name, () if SHAPE_ONLY.match(name) else tuple(inputs), why)
        self._fresh.append((made, self._noting(self._outputs, result, instead=[])))
        return result

    def _cut(self) -> str | None:
        around = self._forwards[-1] if self._forwards else None
        return around if around in ("no_grad", "inference_mode") else cut()

    def _inputs(self, args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> list[str]:
        self._catch_up()
        return [self._place(tensor) for tensor in private.tensors((args, kwargs))]

    def _outputs(self, result: Any) -> Outputs:
        return [(weakref.ref(tensor), _describe(tensor)) for tensor in private.tensors(result)]

    def _catch_up(self) -> None:
        """Note what the last operations gave, now that autograd has tied it in, and new names."""
        fresh, self._fresh = self._fresh, []
        for made, outputs in fresh:
            for reference, described in outputs:
                if (tensor := reference()) is not None:
                    place = self._place(tensor, described)
                    if box_of(place) not in map(box_of, made.inputs):  # else it was written in place
                        self.calculation.made[place] = made
        for name, value in list(self.names.items()):
            if t.is_tensor(value) and not name.startswith("__"):
                self._name(value, name)

    def _place(self, tensor: Tensor, described: Calculated | None = None) -> str:
        """Return the tensor's place; note its value if none is known for it."""
        number = self.identity.number(tensor)  # of each, to know at the end which are still there
        try:
            place = self.nodes.place(tensor)
        except RuntimeError:  # a view that an in-place operation has made unusable
            place = f"p{number}"
        if place[0] != "n":
            place = f"{place}.{private.version(tensor) or 0}"
        if place not in self.calculation.values:
            self.calculation.values[place] = described or _describe(tensor)
        return place

    def _name(self, tensor: Tensor, name: str) -> None:
        names = self.calculation.values[self._place(tensor)].names
        if name not in names:
            names.append(name)

    def _name_members(self) -> None:
        """Note the names of tensors inside objects, where they have no other, and of every `.grad`."""
        modules_first = sorted(self.names.items(), key=lambda one: not issubclass(type(one[1]), t.Module))
        for name, tensor in self.reach.find(dict(modules_first))[0].items():
            if name.endswith(".grad") or not self.calculation.values[self._place(tensor)].names:
                self._name(tensor, name)

    # The engine's passes

    @contextmanager
    def passing(self, create_graph: bool) -> Iterator[None]:
        """Step aside while a pass runs, as what it calculates is part of no graph, unless it creates one.

        The engine adds up gradients in place only where nobody stands between it and the operations.
        """
        if create_graph or not private.is_innermost(self):
            yield
            return
        super().__exit__(None, None, None)
        try:
            yield
        finally:
            super().__enter__()

    def begin(self, run: int, starts: list[t.GraphNode]) -> None:
        """Note that a pass begins at these nodes."""
        self._noting(self._begin, run, starts)

    def _begin(self, run: int, starts: list[t.GraphNode]) -> None:
        self._catch_up()
        self._name_members()
        for node in starts:
            self.nodes.walk(node)
        self.calculation.passes[run] = Pass([self.nodes.id(node) for node in starts])

    def visit(self, node: t.GraphNode, event: Event) -> None:
        """Note a node's turn in the pass."""
        frozen = t.is_leaf_node(node) and not t.requires_grad(node.variable)
        self.calculation.passes[event.run].turns.append(Turn(self.nodes.id(node), event, frozen))

    def end(self, run: int, raised: str | None, retains: bool) -> None:
        """Note that a pass has ended, and which nodes let go what they had saved."""
        if done := self.calculation.passes.get(run):
            done.raised = raised
            done.freed = [] if retains else [turn.at for turn in done.turns if self.nodes.holds(turn.at)]

    # The end of the program

    def finish(self, roots: list[Tensor]) -> list[str]:
        """Note what is so at the end; return the places of some tensors."""
        return self._noting(self._finish, roots)

    def _finish(self, roots: list[Tensor]) -> list[str]:
        self._catch_up()
        self._name_members()
        places = [self._place(tensor) for tensor in roots]
        found = self.calculation
        alive = [(self._place(tensor), tensor) for tensor in self.identity.alive()]
        found.left = [self._left(place, tensor) for place, tensor in alive]
        live = self.nodes.reached([t.grad_fn(tensor) for place, tensor in alive if place[0] == "n"])
        found.freed = {id for id in found.nodes.keys() - live.keys() if self.nodes.holds(id)}
        for id, node in live.items():
            is_freed, changed = self.nodes.state(node)
            found.freed |= {id} if is_freed else set()
            found.changed[id] = {name: met for name, (_, met) in changed.items()}
        return places

    def _left(self, place: str, tensor: Tensor) -> LiveTensor:
        keeps = place[0] == "l" or t.retains_grad(tensor)
        grad = t.grad(tensor) if keeps else None
        strided = t.layout(tensor) == t.STRIDED and t.numel(tensor)
        return LiveTensor(
            place,
            _describe(tensor).text,
            keeps,
            None if grad is None else _describe(grad).text,
            len(private.hooks(tensor) or ()),
            self.storages.number(tensor) if strided else None,
            t.is_inference(tensor),
        )


def _describe(tensor: Tensor) -> Calculated:
    shape = t.sizes(tensor)
    value = facts.value_of(tensor, SHORT) if t.numel(tensor) <= SHORT else None
    return Calculated(written(value, shape), shape, t.dtype_name(tensor))
