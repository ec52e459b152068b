"""Watches autograd's engine: node by node in its own order, with the hooks that run on the way."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import partial
from sys import _getframe as this_frame
from sys import gettrace, settrace
from types import FrameType
from typing import Any

from torch import Tensor
from torch.autograd.graph import GradientEdge

from weaver.recording import tensors as t
from weaver.recording import torch_private as private
from weaver.recording.derivatives import Grads, derivatives, ratios
from weaver.recording.facts import FEW, LONG, aside, value_of, with_zeros
from weaver.recording.hooks import Heard, around_steps, restore, uncounted
from weaver.recording.model import Event, Range, Value
from weaver.recording.nodes import Nodes
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import class_name, error_line
from weaver.recording.operations import Operations
from weaver.recording.training import Training
from weaver.recording.unreached import Unreached

Roots = Sequence[Tensor | GradientEdge]
TraceFunction = Callable[[FrameType, str, Any], Any]  # what Python calls: `sys.settrace` tells of it


class Engine:
    """Stands at the engine's door while it is entered as a context; `events` are what has happened.

    `hooks()` returns the hooks of tensors with history, by their places. `stepper` (None: nobody) is the
    trace function for threads that the engine started. `fail(error)` hears of an error of ours.
    """

    def __init__(
        self, graph: Nodes, hooks: Callable[[], dict[str, private.Hooks]], elements: int,
        fail: Callable[[Exception], None],
    ):
        self.graph, self.hooks, self.elements, self.fail = graph, hooks, elements, fail
        self.events: list[Event] = []
        self.awake = True
        self.stepper: TraceFunction | None = None
        self.depth: Callable[[], int | None] = lambda: None  # of the program's line that runs
        self.operations: Operations | None = None  # that are noted as well, for graphs
        self.unreached = Unreached(graph)
        self.training: Training | None = None  # who hears of steps, if anybody
        self.runs = 0  # that have begun
        self._door = private.EngineDoor()

    def __enter__(self) -> "Engine":
        self._door.open(self._run)
        self._no_more_steps = around_steps(self._steps, self._stepped)
        return self

    def __exit__(self, *error: object) -> None:
        self._no_more_steps()
        self._door.close()

    def _steps(self, optimizer: Any, given: Any = (), named: Any = None) -> None:
        """Note with which gradients an optimizer steps."""
        if self.training and self.awake:
            try:
                closure = given[1] if len(given) > 1 else (named or {}).get("closure")  # after itself
                self.training.steps(optimizer, closure is not None)
            except Exception as error:
                self.fail(error)

    def _stepped(self, optimizer: Any, *_: object) -> None:
        """Note which tensors an optimizer holds that has stepped."""
        try:
            number, groups = self.graph.identity.number, optimizer.param_groups
            self.unreached.held.update(f"l{number(one)}" for group in groups for one in group["params"])
            if self.training:
                self.training.stepped(optimizer)
        except Exception as error:
            self.fail(error)

    def values(self, gradients: Iterable[Tensor | None], nodes: int = 0) -> list[Value]:
        """Return the values of gradients, or their shapes if they can't be read; None for undefined ones.

        After many `nodes` of a pass, few elements are listed.
        """
        elements = self.elements if nodes < LONG else min(FEW, self.elements)
        found = [(one, value_of(one, elements)) for one in gradients]
        found = [(one, with_zeros(value, one)) for one, value in found] if self.training else found
        return [Range(t.sizes(one)) if value is None and t.is_tensor(one) else value for one, value in found]

    @uncounted
    def _run(
        self, roots: Roots, gradients: Grads, retain_graph: bool, create_graph: bool, *args: Any, **named: Any
    ) -> Any:
        number = None if private.is_compiling() else self.runs
        self.runs += number is not None
        if number is not None and self.training:
            self.training.begins(number, roots)
        if number is None or not (self.awake or self.operations):
            self.unreached.is_sure = False
            return self._door.engine(roots, gradients, retain_graph, create_graph, *args, **named)
        run = EngineRun(self, number)
        if self.training:
            run.noting(self.training.look)
        run.noting(run.begin, roots, gradients, args[0] if args else ())
        try:
            with self.operations.passing(create_graph) if self.operations else nullcontext():
                result = self._door.engine(roots, gradients, retain_graph, create_graph, *args, **named)
            if not create_graph and result:
                run.noting(self.graph.tie, gradients, result)
        except BaseException as error:
            run.noting(run.fail, error)
            raise
        finally:
            run.noting(run.end, retain_graph)
        return result


class EngineRun:
    """One call of the engine: hangs on every node that it can reach, and lets go at the end."""

    def __init__(self, engine: Engine, number: int):
        self.engine, self.graph, self.number = engine, engine.graph, number
        self._undo: list[Callable[[], object]] = []
        self._open: dict[str, tuple[t.GraphNode, Event]] = {}  # visits that have not ended, by the node's id
        self._done: list[str] = []  # ids of the nodes that were run
        self._holds: set[str] = set()  # ids of those that saved a tensor, and that the graph doesn't know
        self._raised: str | None = None  # the class of the error that ended it
        self._roots: list[str] = []  # places
        self._plain: str | None = None  # the first that requires no gradient: the engine won't start
        self._wanted: set[str] | None = None  # places of the inputs, if only they get gradients
        self._reached: set[str] = set()  # ids of the nodes and leaves that lead there
        self._task: int | None = None  # the engine's number of this run
        self._is_shown = engine.awake  # in the steps: else it's noted for graphs only
        self.of = _caller()

    def noting(self, work: Callable[..., object], *arguments: object) -> None:
        """Do work of ours: the program hears nothing of an error in it."""
        with aside():
            try:
                work(*arguments)
            except Exception as error:
                self.engine.fail(error)

    def begin(self, roots: Roots, gradients: Grads, inputs: Roots) -> None:
        """Watch what the engine is about to do for some inputs or all leaves, node by node, hook by hook."""
        if inputs:
            nodes = [None if t.is_tensor(one) else one.node for one in inputs]
            pairs = zip(inputs, nodes, strict=True)
            graph = self.graph
            self._wanted = {graph.id(node) if node else graph.place(one, follow=False) for one, node in pairs}
        if self.engine.operations:
            starts = [t.grad_fn(root) if t.is_tensor(root) else root.node for root in roots]
            starts = [start for start in starts if start is not None]
            self.engine.operations.begin(self.number, starts)
        self.start(roots, gradients)
        self.watch_hooks()

    def end(self, retain_graph: bool) -> None:
        """Let go, and note what the nodes let go of."""
        self.close()
        if self._raised is None:
            self.engine.unreached.note_pass(self.of == "backward", self._roots, self._reached)
        if self.engine.operations:
            self.engine.operations.end(self.number, self._raised, retain_graph)
        if not retain_graph:
            self.note_freed()
        if not (self.engine.awake or self._raised):  # its line ends where nobody watches: no step is its own
            self.engine.events[:] = [one for one in self.engine.events if one.run != self.number]

    def start(self, roots: Roots, gradients: Grads) -> None:
        """Note where the run begins, and watch every node from there on, up to the graph's limit."""
        starts, told = [], []
        for root, gradient in zip(roots, gradients, strict=True):
            node = t.grad_fn(root) if t.is_tensor(root) else root.node
            if node is not None:
                starts.append(node)
                self.graph.walk(node)
            place = self.graph.place(root) if t.is_tensor(root) else self.graph.id(node)
            given = self.engine.values([gradient])
            self._roots.append(place)
            depth = self.engine.depth()
            told.append(Event("start", self.number, place, self.of, received=given, depth=depth))
        self._plain = next((place for place in self._roots if place[:1] == "p"), None)
        for event in told if self._plain is None else ():
            self._add(event)
        while starts and len(self._reached) < self.graph.limit:
            node = starts.pop()
            name = self.graph.id(node)
            if name not in self._reached:
                self._reached.add(name)
                self._watch(name, node)
                starts += [one for one, _ in t.inputs(node) if one is not None]
        self.engine.unreached.is_sure &= not starts

    def note(self, kind: str, **facts: Any) -> None:
        self._add(Event(kind, self.number, **facts))

    def _add(self, event: Event) -> None:
        if self._is_shown:
            self.engine.events.append(event)

    def _watch(self, name: str, node: t.GraphNode) -> None:
        arrive, leave = (partial(self.noting, work, name, node) for work in (self._arrive, self._leave))
        before, after = private.watch_node(node, arrive, leave)
        self._undo += [before.remove, after.remove]
        self._wrap(before.hooks_dict_ref(), name, "node before")
        self._wrap(after.hooks_dict_ref(), name, "node after")
        if name[0] == "l":
            leaf = node.variable
            self._wrap(private.hooks(leaf), name, "tensor")
            self._wrap(private.later_hooks(leaf), name, "post-accumulate")

    def watch_hooks(self) -> None:
        """Watch the hooks of tensors that have a history: no node leads to them."""
        for place, hooks in self.engine.hooks().items():
            self._wrap(hooks, place, "tensor")

    def _wrap(self, hooks: private.Hooks | None, name: str, kind: str) -> None:
        """Stand before each of the program's hooks in a dictionary of hooks, until the run ends."""
        hooks = hooks or {}
        for key, hook in list(hooks.items()):
            if key > private.HIDDEN_IDS / 2 and type(hook) is not Heard:
                heard = hooks[key] = Heard(hook, self, name, kind)
                self._undo.append(partial(restore, hooks, key, heard, hook))

    def _arrive(self, name: str, node: t.GraphNode, received: Grads) -> None:
        if self._is_another():
            return
        if self.engine.stepper and gettrace() is None:  # a thread of the engine's own, for a GPU
            settrace(self.engine.stepper)
        visit = Event("visit", self.number, name, received=self.engine.values(received, len(self._done)))
        if name[0] == "n" and name not in self.graph.known:
            visit.name = t.node_name(node)
            self._holds |= {name} if self.graph.saves(node) else set()
        self._open[name] = node, visit
        if name[0] == "l":
            visit.before = value_of(t.grad(node.variable), self.engine.elements)
        elif not t.is_custom(node) and not self.graph.is_packed(name):
            visit.local = derivatives(node, received)

    def _is_another(self) -> bool:
        """Tell whether a run within this one, in a hook or a custom `backward`, came to the node."""
        self._task = private.current_pass() if self._task is None else self._task
        return private.current_pass() != self._task

    def _leave(self, name: str, node: t.GraphNode, passed: Grads, received: Grads) -> None:
        if self._is_another():
            return
        _, visit = self._open.pop(name, (None, None))
        if visit is None:
            return
        visit.passed = self.engine.values(passed, len(self._done))
        if self._wanted is not None:  # else each leaf gets what arrives
            for slot, (one, _) in enumerate(t.inputs(node)):
                if one is not None and t.is_leaf_node(one) and self.graph.id(one) not in self._wanted:
                    visit.passed[slot] = None
        if t.is_custom(node):
            visit.local = ratios(passed, received)
        if name[0] == "l":
            visit.after = value_of(t.grad(node.variable), self.engine.elements)
        self._done.append(name)
        self._add(visit)
        if self.engine.operations:
            self.engine.operations.visit(node, visit)

    def fail(self, error: BaseException) -> None:
        """Note where an error came, and for a tensor changed in place what was compared."""
        text, self._raised = error_line(error), class_name(type(error))
        for name, (node, visit) in self._open.items():
            self._add(visit)
            changed = self.graph.state(node)[1]
            saved, (wanted, met) = next(iter(changed.items()), (None, (None, None)))
            storage = self.graph.storage_of(name, saved)
            of = None if name in self.graph.known else t.node_name(node)
            facts = {"wanted": wanted, "met": met, "storage": storage}
            self.note("failed", node=name, of=of, name=saved, text=text, **facts)
        if not self._open:
            self.note("failed", node=self._plain, text=text)

    def note_freed(self) -> None:
        """Note the nodes that let go what they had saved: those that ran, as nothing was retained."""
        freed = [name for name in self._done if name in self._holds or self.graph.holds(name)]
        if freed:
            self.note("freed", freed=freed)

    def close(self) -> None:
        """Let go of every node and hook."""
        for undo in reversed(self._undo):
            undo()
        self._undo.clear()
        self._open.clear()


def _caller() -> str | None:
    """Return the name of the function of `torch.autograd` that runs the engine: `backward` or `grad`."""
    frame: FrameType | None = this_frame(1)
    while frame and frame.f_globals.get("__name__") != "torch.autograd":
        frame = frame.f_back
    return frame.f_code.co_name if frame else None
