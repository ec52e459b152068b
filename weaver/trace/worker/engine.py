"""Watches autograd's engine: node by node in its own order, with the hooks that run on the way."""

import sys
from functools import partial
from itertools import count

import torch
from torch.autograd.function import BackwardCFunction
from torch.utils.hooks import RemovableHandle

from weaver.graph.worker.torch_private import is_compiling
from weaver.trace.model import Event
from weaver.trace.worker.facts import aside, plain, value_of
from weaver.trace.worker.graph import Graph

HIDDEN_IDS = -(10**12)  # of our hooks' handles: the program's own are numbered as without us


def uncounted(function):
    """Keep a function's frame from being counted by `warnings.warn(..., stacklevel=...)`: return it so.

    A warning that looks up the stack for the program's line finds it as if nobody watched. CPython passes
    over the frames of the import system, which it knows by two words in the name of their file.
    """
    code = function.__code__
    function.__code__ = code.replace(co_filename=f"{code.co_filename} (importlib._bootstrap)")
    return function


class Engine:
    """Stands at the engine's door while it is entered as a context; `events` are what has happened.

    `hooks()` returns the hooks of tensors with history, by their places. `stepper` (None: nobody) is the
    trace function for threads that the engine started.
    """

    def __init__(self, graph: Graph, hooks, elements: int):
        self.graph, self.hooks, self.elements = graph, hooks, elements
        self.events = []
        self.awake = True
        self.stepper = None
        self._runs = count()

    def __enter__(self):
        self._plain = torch.autograd._engine_run_backward
        torch.autograd._engine_run_backward = self._run
        return self

    def __exit__(self, *error):
        torch.autograd._engine_run_backward = self._plain

    def values(self, gradients) -> list:
        """Return the values of gradients; None for one that is undefined."""
        return [value_of(one, self.elements) for one in gradients]

    @uncounted
    def _run(self, roots, gradients, retain_graph, create_graph, *args, **kwargs):
        number = None if is_compiling() else next(self._runs)
        if number is None or not self.awake:
            return self._plain(roots, gradients, retain_graph, create_graph, *args, **kwargs)
        with aside():
            run = Run(self, number)
            run.start(roots, gradients)
            run.watch_hooks()
        try:
            result = self._plain(roots, gradients, retain_graph, create_graph, *args, **kwargs)
        except BaseException as error:
            with aside():
                run.fail(error)
            raise
        finally:
            run.close()
            if not retain_graph:
                run.note_freed()
        return result


class Run:
    """One call of the engine: hangs on every node that it can reach, and lets go at the end."""

    def __init__(self, engine: Engine, number: int):
        self.engine, self.graph, self.number = engine, engine.graph, number
        self._undo = []
        self._open = {}  # id of a node -> (the node, its visit that has not ended)
        self._done = []  # ids of the nodes that were run

    def start(self, roots, gradients) -> None:
        """Note where the run begins, and watch every node from there on, up to the graph's limit."""
        starts = []
        for root, gradient in zip(roots, gradients, strict=True):
            node = root.grad_fn if isinstance(root, torch.Tensor) else root.node
            if node is not None:
                starts.append(node)
                self.graph.walk(node)
            place = self.graph.place(root) if isinstance(root, torch.Tensor) else self.graph.id(node)
            self._note("start", node=place, received=self.engine.values([gradient]))
        seen = set()
        while starts and len(seen) < self.graph.limit:
            node = starts.pop()
            name = self.graph.id(node)
            if name not in seen:
                seen.add(name)
                self._watch(name, node)
                starts += [one for one, _ in node.next_functions if one is not None]

    def _note(self, kind, **facts):
        event = Event(kind, self.number, **facts)
        self.engine.events.append(event)
        return event

    def _watch(self, name, node):
        following, RemovableHandle.next_id = RemovableHandle.next_id, HIDDEN_IDS
        try:
            before = node.register_prehook(partial(self._arrive, name, node))
            RemovableHandle.next_id += 1
            after = node.register_hook(partial(self._leave, name, node))
        finally:
            RemovableHandle.next_id = following
        self._undo += [before.remove, after.remove]
        self._wrap(before.hooks_dict_ref(), name, "node before")
        self._wrap(after.hooks_dict_ref(), name, "node after")
        if name[0] == "l":
            leaf = node.variable
            self._wrap(leaf._backward_hooks, name, "tensor")
            self._wrap(leaf._post_accumulate_grad_hooks, name, "post-accumulate")

    def watch_hooks(self) -> None:
        """Watch the hooks of tensors that have a history: no node leads to them."""
        for place, hooks in self.engine.hooks().items():
            self._wrap(hooks, place, "tensor")

    def _wrap(self, hooks, name, kind):
        """Stand before each of the program's hooks in a dictionary of hooks, until the run ends."""
        for key, hook in list((hooks or {}).items()):
            if key > HIDDEN_IDS / 2 and not isinstance(hook, Heard):
                heard = hooks[key] = Heard(hook, self, name, kind)
                self._undo.append(partial(_restore, hooks, key, heard))

    def _arrive(self, name, node, received):
        if self.engine.stepper and sys.gettrace() is None:  # a thread of the engine's own, for a GPU
            sys.settrace(self.engine.stepper)
        with aside():
            visit = Event("visit", self.number, name, received=self.engine.values(received))
            self._open[name] = node, visit
            if name[0] == "l":
                visit.before = value_of(node.variable.grad, self.engine.elements)
            elif not isinstance(node, BackwardCFunction) and not self.graph.is_packed(name):
                visit.local = self._derivatives(node, received)

    def _leave(self, name, node, passed, received):
        with aside():
            _, visit = self._open.pop(name, (None, None))
            if visit is None:
                return
            visit.passed = self.engine.values(passed)
            if isinstance(node, BackwardCFunction):
                visit.local = self._ratios(passed, received)
            if name[0] == "l":
                visit.after = value_of(node.variable.grad, self.engine.elements)
            self._done.append(name)
            self.engine.events.append(visit)

    def _derivatives(self, node, received):
        """Return the derivatives for the inputs, None for one that is no scalar, by the node's own VJP."""
        if len(received) != 1 or received[0] is None or received[0].numel() != 1:
            return None
        try:
            passed = node(torch.ones_like(received[0]))
        except Exception:  # the engine is about to meet the same, and to say it
            return None
        passed = passed if isinstance(passed, tuple) else (passed,)
        return [value_of(one, 1) if one is not None and one.numel() == 1 else None for one in passed]

    def _ratios(self, passed, received):
        """Return what a custom Function multiplied by, None where it is no scalar or cannot be known."""
        first = _number(received[0]) if len(received) == 1 else None
        numbers = map(_number, passed) if first else ()
        return [one if one is None else plain(one / first, single=True) for one in numbers] or None

    def fail(self, error: BaseException) -> None:
        """Note where an error came, and for a tensor changed in place what was compared."""
        text = f"{type(error).__name__}: {error}" if isinstance(error, RuntimeError) else type(error).__name__
        for name, (node, visit) in self._open.items():
            self.engine.events.append(visit)
            saved, wanted, met = self.graph.mismatch(node)
            self._note("failed", node=name, name=saved, text=text, wanted=wanted, met=met)
        if not self._open:
            self._note("failed", text=text)

    def note_freed(self) -> None:
        """Note the nodes that let go what they had saved: those that ran, as nothing was retained."""
        freed = [name for name in self._done if name in self.graph.nodes and self._held(name)]
        if freed:
            self._note("freed", freed=freed)

    def _held(self, name):
        return any(saved.place or saved.packed for saved in self.graph.nodes[name].saved)

    def close(self) -> None:
        """Let go of every node and hook."""
        for undo in reversed(self._undo):
            undo()
        self._undo.clear()
        self._open.clear()


class Heard:
    """A hook of the program, whose call is noted."""

    def __init__(self, hook, run: Run, place: str, kind: str):
        self.hook, self.run, self.place, self.kind = hook, run, place, kind
        module = getattr(hook, "__module__", None) == "torch.utils.hooks"
        self.of = "module" if module else kind

    def __getattr__(self, name):
        return getattr(self.hook, name)

    @uncounted
    def __call__(self, *arguments):
        result = self.hook(*arguments)
        with aside():
            values = self.run.engine.values
            given = values([arguments[0].grad if self.kind == "post-accumulate" else arguments[0]])
            if isinstance(arguments[0], tuple):
                given = values(arguments[-1] if self.kind == "node after" else arguments[0])
            passed = None if result is None else values(result if isinstance(result, tuple) else [result])
            name = getattr(self.hook, "__name__", type(self.hook).__name__)
            self.run._note("hook", node=self.place, of=self.of, name=name, received=given, passed=passed)
        return result


def _number(gradient):
    """Return the number that a gradient is; None if it is not one, finite and real, or cannot be read."""
    value = value_of(gradient, 1)
    while isinstance(value, list) and value:
        (value,) = value
    return value if isinstance(value, float | int) else None


def _restore(hooks, key, heard):
    if hooks.get(key) is heard:
        hooks[key] = heard.hook
