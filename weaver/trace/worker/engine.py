"""Watches autograd's engine: node by node in its own order, with the hooks that run on the way."""

from functools import partial
from itertools import count
from sys import gettrace, settrace

from torch import ones_like

from weaver.graph.worker import tensors as t
from weaver.graph.worker import torch_private as private
from weaver.graph.worker.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.graph.worker.objects import callable_module, callable_name, error_line
from weaver.trace.model import Event
from weaver.trace.worker.facts import aside, plain, value_of
from weaver.trace.worker.graph import Graph

UNCOUNTED = " (importlib._bootstrap)"


def uncounted(function):
    """Keep a function's frame from being counted by `warnings.warn(..., stacklevel=...)`: return it so.

    A warning that looks up the stack for the program's line finds it as if nobody watched. CPython passes
    over the frames of the import system, which it knows by two words in the name of their file.
    """
    code = function.__code__
    function.__code__ = code.replace(co_filename=f"{code.co_filename}{UNCOUNTED}")
    return function


def drop_uncounted(trace) -> None:
    """Take the frames of such functions out of a traceback, which the program may print."""
    while trace is not None:
        while trace.tb_next and trace.tb_next.tb_frame.f_code.co_filename.endswith(UNCOUNTED):
            trace.tb_next = trace.tb_next.tb_next
        trace = trace.tb_next


class Engine:
    """Stands at the engine's door while it is entered as a context; `events` are what has happened.

    `hooks()` returns the hooks of tensors with history, by their places. `stepper` (None: nobody) is the
    trace function for threads that the engine started. `fail(error)` hears of an error of ours.
    """

    def __init__(self, graph: Graph, hooks, elements: int, fail):
        self.graph, self.hooks, self.elements, self.fail = graph, hooks, elements, fail
        self.events = []
        self.awake = True
        self.stepper = None
        self._runs = count()
        self._door = private.EngineDoor()

    def __enter__(self):
        self._door.open(self._run)
        return self

    def __exit__(self, *error):
        self._door.close()

    def values(self, gradients) -> list:
        """Return the values of gradients; None for one that is undefined."""
        return [value_of(one, self.elements) for one in gradients]

    @uncounted
    def _run(self, roots, gradients, retain_graph, create_graph, *args, **kwargs):
        number = None if private.is_compiling() else next(self._runs)
        if number is None or not self.awake:
            return self._door.engine(roots, gradients, retain_graph, create_graph, *args, **kwargs)
        run = Run(self, number)
        run.noting(run.begin, roots, gradients)
        try:
            result = self._door.engine(roots, gradients, retain_graph, create_graph, *args, **kwargs)
        except BaseException as error:
            run.noting(run.fail, error)
            raise
        finally:
            run.noting(run.end, retain_graph)
        return result


class Run:
    """One call of the engine: hangs on every node that it can reach, and lets go at the end."""

    def __init__(self, engine: Engine, number: int):
        self.engine, self.graph, self.number = engine, engine.graph, number
        self._undo = []
        self._open = {}  # id of a node -> (the node, its visit that has not ended)
        self._done = []  # ids of the nodes that were run

    def noting(self, work, *arguments) -> None:
        """Do work of ours: the program hears nothing of an error in it."""
        with aside():
            try:
                work(*arguments)
            except Exception as error:
                self.engine.fail(error)

    def begin(self, roots, gradients) -> None:
        """Watch what the engine is about to do, node by node and hook by hook."""
        self.start(roots, gradients)
        self.watch_hooks()

    def end(self, retain_graph) -> None:
        """Let go, and note what the nodes let go of."""
        self.close()
        if not retain_graph:
            self.note_freed()

    def start(self, roots, gradients) -> None:
        """Note where the run begins, and watch every node from there on, up to the graph's limit."""
        starts = []
        for root, gradient in zip(roots, gradients, strict=True):
            node = t.grad_fn(root) if t.is_tensor(root) else root.node
            if node is not None:
                starts.append(node)
                self.graph.walk(node)
            place = self.graph.place(root) if t.is_tensor(root) else self.graph.id(node)
            self._note("start", node=place, received=self.engine.values([gradient]))
        seen = set()
        while starts and len(seen) < self.graph.limit:
            node = starts.pop()
            name = self.graph.id(node)
            if name not in seen:
                seen.add(name)
                self._watch(name, node)
                starts += [one for one, _ in t.inputs(node) if one is not None]

    def _note(self, kind, **facts):
        event = Event(kind, self.number, **facts)
        self.engine.events.append(event)
        return event

    def _watch(self, name, node):
        arrive = partial(self.noting, self._arrive, name, node)
        leave = partial(self.noting, self._leave, name, node)
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

    def _wrap(self, hooks, name, kind):
        """Stand before each of the program's hooks in a dictionary of hooks, until the run ends."""
        for key, hook in list((hooks or {}).items()):
            if key > private.HIDDEN_IDS / 2 and type(hook) is not Heard:
                heard = hooks[key] = Heard(hook, self, name, kind)
                self._undo.append(partial(_restore, hooks, key, heard))

    def _arrive(self, name, node, received):
        if self.engine.stepper and gettrace() is None:  # a thread of the engine's own, for a GPU
            settrace(self.engine.stepper)
        visit = Event("visit", self.number, name, received=self.engine.values(received))
        self._open[name] = node, visit
        if name[0] == "l":
            visit.before = value_of(t.grad(node.variable), self.engine.elements)
        elif not t.is_custom(node) and not self.graph.is_packed(name):
            visit.local = self._derivatives(node, received)

    def _leave(self, name, node, passed, received):
        _, visit = self._open.pop(name, (None, None))
        if visit is None:
            return
        visit.passed = self.engine.values(passed)
        if t.is_custom(node):
            visit.local = self._ratios(passed, received)
        if name[0] == "l":
            visit.after = value_of(t.grad(node.variable), self.engine.elements)
        self._done.append(name)
        self.engine.events.append(visit)

    def _derivatives(self, node, received):
        """Return the derivatives for the inputs, None for one that is no scalar, by the node's own VJP."""
        if len(received) != 1 or received[0] is None or t.numel(received[0]) != 1:
            return None
        try:
            passed = node(ones_like(received[0]))
        except Exception:  # the engine is about to meet the same, and to say it
            return None
        passed = passed if type(passed) is tuple else (passed,)
        return [value_of(one, 1) if one is not None and t.numel(one) == 1 else None for one in passed]

    def _ratios(self, passed, received):
        """Return what a custom Function multiplied by, None where it is no scalar or cannot be known."""
        first = _number(received[0]) if len(received) == 1 else None
        numbers = map(_number, passed) if first else ()
        return [one if one is None else plain(one / first, single=True) for one in numbers] or None

    def fail(self, error: BaseException) -> None:
        """Note where an error came, and for a tensor changed in place what was compared."""
        text = error_line(error)
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
        self.of = "module" if callable_module(hook) == "torch.utils.hooks" else kind

    def __getattr__(self, name):
        return getattr(self.hook, name)

    @uncounted
    def __call__(self, *arguments):
        result = self.hook(*arguments)
        self.run.noting(self._note, arguments, result)
        return result

    def _note(self, arguments, result):
        values = self.run.engine.values
        first = arguments[0]
        if type(first) is tuple:
            given = values(arguments[-1] if self.kind == "node after" else first)
        else:
            given = values([t.grad(first) if self.kind == "post-accumulate" else first])
        passed = None if result is None else values(result if type(result) is tuple else [result])
        name = callable_name(self.hook)
        self.run._note("hook", node=self.place, of=self.of, name=name, received=given, passed=passed)


def _number(gradient):
    """Return the number that a gradient is; None if it is not one, finite and real, or cannot be read."""
    value = value_of(gradient, 1)
    while type(value) is list and value:
        (value,) = value
    return value if isinstance(value, float | int) else None


def _restore(hooks, key, heard):
    if hooks.get(key) is heard:
        hooks[key] = heard.hook
