"""What torch did in a plain run, seen from outside: its calls, the nodes they made, the engine's visits."""

import math
import re
import sys
import weakref
from collections import Counter, defaultdict
from contextlib import contextmanager, suppress
from itertools import count
from types import SimpleNamespace

import torch
from torch._C._functorch import is_functorch_wrapped_tensor as is_wrapped
from torch.autograd import forward_ad
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import _disable_current_modes

from support.trace.sentences.ran import Lines

NO_VALUE = re.compile(r".*_like$|new_(?!tensor)|is_|size|shape")  # calls whose result has no value of what they took


class Missing(Exception):
    """A name leads to nothing."""


class Watch(TorchFunctionMode):
    """Notes what each call of torch took and gave, and in which line nodes were made."""

    def __init__(self, lines):
        super().__init__()
        self.lines, self.numbers, self.nodes = lines, {}, {}
        self.parents = defaultdict(list)  # number of a tensor -> (of one it came from, the call, was grad on, line)
        self.made_in = defaultdict(Counter)  # index of a line -> names of the nodes that it made
        self.left = defaultdict(list)  # number of a line -> its calls: the name, what they took, was grad on
        self.inputs = defaultdict(set)  # index of a line -> what its calls took
        self.unsure = set()  # indices of lines that made nodes which no result leads to
        self.forward = self.inside = 0
        self.count = count()

    def number(self, tensor):
        reference, number = self.numbers.get(id(tensor), (None, None))
        if reference is None or reference() is not tensor:
            number = next(self.count)
            self.numbers[id(tensor)] = weakref.ref(tensor), number
        return number

    def __torch_function__(self, function, types, args=(), kwargs=None):
        enabled = torch.is_grad_enabled() and not torch.is_inference_mode_enabled()
        self.inside += 1
        try:
            result = function(*args, **(kwargs or {}))
        finally:
            self.inside -= 1
        self.note(getattr(function, "__name__", ""), (args, kwargs), result, enabled)
        return result

    def apply(self, function, real, args, kwargs):
        """Take the place of `Function.apply`, which a mode doesn't hear."""
        self.forward += 1
        enabled = torch.is_grad_enabled()
        try:
            result = real.__func__(function, *args, **kwargs)
        finally:
            self.forward -= 1
        self.note("apply", (args, kwargs), result, enabled)
        return result

    def note(self, name, given, result, enabled):
        with unheard():
            line = self.line()
            taken, got = tensors(given), tensors(result)
            inputs = [self.number(one) for one in taken]
            name = "get" if name in ("__get__", "__set__") else name
            if forward_ad._current_level >= 0 or any(map(is_wrapped, [*taken, *got])):
                self.unsure |= {one.now.index for one in self.lines.frames if one.now}
            if line is not None:
                self.inputs[line].update(inputs)
            for one in [*taken, *got]:
                self.note_nodes(one, line)
            self.left[self.lines.now.line if self.lines.now else 0].append((name, inputs, enabled))
            for out in [] if NO_VALUE.match(name) else map(self.number, got):
                self.parents[out] += [(other, name, enabled, line, self.forward) for other in inputs if other != out]

    def line(self):
        """Return the index of the line that called torch, None if it's in another thread."""
        frame = sys._getframe(3)
        while frame is not None:
            for one in reversed(self.lines.frames):
                if one.frame is frame and one.now:
                    return one.now.index
            frame = frame.f_back
        return None

    def note_nodes(self, tensor, line):
        try:
            todo = [tensor.grad_fn]
        except RuntimeError:  # a view made under no_grad() whose base was written: torch refuses
            return
        while todo:
            node = todo.pop()
            if node is not None and node not in self.nodes and type(node).__name__ != "AccumulateGrad":
                self.nodes[node] = line
                self.made_in[line][short(node)] += 1
                todo += [one for one, _ in node.next_functions]

    def ways(self, end, start):
        """Return the calls on the ways from one tensor to another; None if there's none."""
        seen, todo, calls, reached = {end}, [end], [], False
        while todo:
            for other, *call in self.parents[todo.pop()]:
                calls.append(call)
                reached |= other == start
                if other not in seen and other != start:
                    seen.add(other)
                    todo.append(other)
        return calls if reached else None


@contextmanager
def unheard():
    """Keep what the oracle does from the program's modes and subclasses."""
    Lines.paused += 1
    with torch._C.DisableTorchFunction(), _disable_current_modes():
        yield
    Lines.paused -= 1


def tensors(tree):
    if isinstance(tree, torch.Tensor):
        return [tree]
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list | tuple) else ()
    return [one for part in parts for one in tensors(part)]


def short(node):
    return node.name().split("::")[-1]


def saved(node):
    """Yield what a node saved: its name, and the tensor or the error that comes instead."""
    for name in dir(type(node)):
        if name.startswith("_saved_") and "_sym_" not in name:
            try:
                found = getattr(node, name)
            except RuntimeError as error:
                found = error
            for one in found if isinstance(found, tuple | list) else [found]:
                yield name.removeprefix("_saved_"), one
    if isinstance(node, torch.autograd.function.BackwardCFunction):
        try:
            yield from (("saved_tensors", one) for one in node.saved_tensors)
        except RuntimeError as error:
            yield "saved_tensors", error


class Engine:
    """Takes the engine's place, and notes what each call of it did, by hooks of its own on every node.

    `names` are what is said to be a leaf in each run.
    """

    def __init__(self, lines, names):
        self.lines, self.names, self.runs, self.open = lines, names, [], []
        self.real = torch.autograd._engine_run_backward

    def __call__(self, roots, seeds, *args, **kwargs):
        run = SimpleNamespace(roots=roots, seeds=[values(one) for one in seeds], visits=[], begun=[], error=None, freed=[], calls=[], leaves={}, zeros={})
        run.caller, run.call = self.lines.now, sys._getframe(1).f_code.co_name
        run.retains, run.creates, run.is_wrapped = *args[:2], any(map(is_wrapped, tensors(roots)))
        for name in self.names[len(self.runs)]:
            with suppress(Missing):
                run.leaves[name] = evaluated(name, self.lines.frame)
                is_tensor = isinstance(run.leaves[name], torch.Tensor)  # else a node saved something by this name
                run.zeros[name] = not is_tensor or not any(values(run.leaves[name])[1] or ())
        self.runs.append(run)
        run.nodes = reached(roots)
        handles = [handle for node in run.nodes for handle in self.hooks(run, node)]
        self.open.append(run)
        try:
            return self.real(roots, seeds, *args, **kwargs)
        except BaseException as error:
            run.error = error
            raise
        finally:
            self.open.pop()
            for one in handles:
                one.remove()
            with unheard():
                for visit in run.visits:
                    self.end(run, visit)

    @staticmethod
    def end(run, visit):
        if hasattr(visit.node, "variable"):
            visit.after = values(visit.node.variable.grad)
        elif visit.saves and any("freed" in str(one) for _, one in saved(visit.node) if isinstance(one, RuntimeError)):
            run.freed.append(visit.node)

    @staticmethod
    def hooks(run, node):
        saves = getattr(node, "_raw_saved_tensors", None) != ()  # else torch calls it freed all the same
        visit = SimpleNamespace(node=node, received=None, passed=None, before=None, after=None, saves=saves)

        def before(received):
            visit.received = [values(one) for one in received]
            visit.before = values(node.variable.grad) if hasattr(node, "variable") else None
            run.begun.append(visit)

        def after(passed, received):
            visit.passed = [values(one) for one in passed]
            run.visits.append(visit)

        return node.register_prehook(before), node.register_hook(after)


def reached(roots):
    """Return the nodes that lead back from the roots of a pass."""
    todo = [torch.autograd.graph.get_gradient_edge(one).node if isinstance(one, torch.Tensor) and one.requires_grad else getattr(one, "node", None) for one in roots]
    nodes = set()
    while todo:
        node = todo.pop()
        if node is not None and node not in nodes:
            nodes.add(node)
            todo += [one for one, _ in node.next_functions]
    return nodes


def values(tensor):
    """Return a tensor's shape and numbers, None for none."""
    if tensor is None:
        return None
    with unheard(), torch.no_grad():
        try:
            flat = tensor.detach().to_dense().double().reshape(-1).tolist() if not tensor.is_complex() else []
        except RuntimeError:  # as in vmap
            flat = None
        return tuple(tensor.shape), flat


def reads_as(text, value):
    """Tell whether a text in a sentence is what a value reads as."""
    if value is None:
        return text == "None"
    shape, numbers = value
    if re.search(r"j($|[,\]])", text):
        return True  # complex numbers aren't compared
    if found := re.match(r"(?:shape )?\(([\d, ]*)\)(?:, (.*))?$", text):
        is_shape = tuple(int(one) for one in re.findall(r"\d+", found[1])) == shape
        return is_shape and (not found[2] or numbers is None or is_range(found[2], numbers))
    if numbers is None:
        return True  # that can't be read
    text = text.replace("True", "1").replace("False", "0")
    said = [float(one) for one in re.findall(r"-?(?:\d[\d.]*(?:e[+-]?\d+)?|inf|nan)", text)]
    return len(said) == len(numbers) and all(map(is_about, said, numbers))


def is_range(text, numbers):
    """Tell whether `-1 … 2, nan × 3`, or `all 0`, is what numbers are."""
    finite = list(filter(math.isfinite, numbers))
    counts = {"nan": sum(map(math.isnan, numbers)), "inf": sum(map(math.isinf, numbers))}
    said = dict.fromkeys(counts, 0) | {name: int(n) for name, n in re.findall(r"(nan|inf) × (\d+)", text)}
    low, high = min(finite, default=None), max(finite, default=None)
    if (zeros := re.search(r", 0 × (\d+)$", text)) and int(zeros[1]) != numbers.count(0):
        return False
    if found := re.match(r"all (\S+)$", text):
        return said == counts and not any(counts.values()) and low == high and is_about(float(found[1]), low)
    found = re.match(r"(\S+) … ([^\s,]+)", text)
    return said == counts and bool(found) == bool(finite) and (not found or (is_about(float(found[1]), low) and is_about(float(found[2]), high)))


def is_about(one, other):
    return (math.isnan(one) and math.isnan(other)) or math.isclose(one, other, rel_tol=2e-4, abs_tol=1e-9)


def evaluated(name, frame):
    """Return what a name of a sentence leads to in a frame or its callers', as Python evaluates it."""
    code = re.sub(r"('[^']*')|\.(\d+)", lambda found: found[1] or f"[{found[2]}]", name)
    while frame is not None:
        with suppress(Exception):
            return eval(code, frame.f_globals, frame.f_locals)
        frame = frame.f_back if frame.f_code.co_name != "<module>" else None
    raise Missing(name)
