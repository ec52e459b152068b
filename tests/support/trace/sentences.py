"""Decides each sentence that the view of a trace says, by plain runs of the program that share nothing with it.

A first run lists the lines as they ran, so that each step is known to be one of them. A second stops before
and after the lines that something is said of, evaluates the names in the sentence as Python would, and looks.
"""

import ast
import gc
import json
import math
import os
import re
import sys
import threading
import weakref
from collections import Counter, defaultdict
from contextlib import nullcontext, suppress
from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import torch
from torch.overrides import TorchFunctionMode

from support.trace.warm import forked
from weaver.player.words import ENGLISH
from weaver.recording import compact

ROOT = Path(__file__).parents[3]
REAL = ROOT / "tests/cases/real"
TOLD = Path(__file__).with_name("told.js").read_text("utf-8")
PARTS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
UNSURE = None  # whether a sentence is true that these runs can't decide
NAME = re.compile(r"[A-Za-z_]\w*(\.\w+|\[(\d+|'[^']*')\])*")


class Missing(Exception):
    """A name leads to nothing."""


# The lines as they ran


class Statements:
    """Maps lines to statements and loops, from the program's text."""

    def __init__(self, source):
        self.tree = ast.parse(source)
        self.start, self.loops, self.quiet, self.whiles = {}, [], set(), set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.stmt | ast.ExceptHandler):
                decorators = getattr(node, "decorator_list", [])
                first = min([node.lineno, *(one.lineno for one in decorators)])
                body = getattr(node, "body", None)
                inner = min(min([b.lineno, *(d.lineno for d in getattr(b, "decorator_list", []))]) for b in body) if body else 0
                last = max(inner - 1, first) if body else node.end_lineno
                name = self.start.get(first, node.lineno)
                for line in range(first, last + 1):
                    self.start[line] = name
            if isinstance(node, ast.For | ast.While):
                self.loops.append((node.lineno, node.end_lineno))
                self.whiles |= {node.lineno} if isinstance(node, ast.While) else set()
            if isinstance(node, ast.Try):
                self.quiet.add(node.lineno)
        self.loops.sort()


class Ran:
    """One time that a line ran."""

    def __init__(self, line, depth, loops, frame, resumed):
        self.line, self.depth, self.loops, self.frame, self.resumed = line, depth, loops, id(frame), resumed
        self.key = line, depth, loops


class Lines:
    """Follows a program's lines; `begin(ran, frame)` and `end(ran, frame)` are called around each."""

    def __init__(self, path, source, begin=lambda *_: None, end=lambda *_: None):
        self.path, self.known = path, Statements(source)
        self.begin, self.end = begin, end
        self.ran, self.ended, self.frames = [], [], []

    def enter(self, frame, event, argument):
        code = frame.f_code
        if code.co_filename != self.path or code.co_name in PARTS:
            return None
        if not code.co_flags & 1 and code.co_name != "<module>":
            return None
        known = next((one for one in self.frames if one.frame is frame), None)
        found = getattr(frame.f_trace, "args", [known])[0]
        if found is None:
            found = SimpleNamespace(frame=frame, now=None, last=0, start=-1, at=-1, counts={}, generator=code.co_flags & 0x220)
            found.step = partial(self.step, found)
        self.frames.append(found)
        if found.last and found.generator:
            self.start(found, found.last, resumed=True)
        return found.step

    def step(self, found, frame, event, argument):
        if event == "line":
            line = frame.f_lineno if frame.f_code.co_name == "<lambda>" else self.known.start.get(frame.f_lineno, frame.f_lineno)
            at, back = frame.f_lasti, frame.f_lasti <= found.at
            found.at = at
            short = any(first == line == inner for first, last in self.known.loops for inner in [self.body(first)])
            if not (found.now and found.now.line == line and at > found.start and not (back and short)):
                self.finish(found)
                found.start = at
                self.start(found, line)
        elif event == "return":
            self.finish(found)
            if found in self.frames:
                self.frames.remove(found)
        return found.step

    def body(self, first):
        node = next(n for n in ast.walk(self.known.tree) if isinstance(n, ast.For | ast.While) and n.lineno == first)
        return node.body[0].lineno

    def start(self, found, line, resumed=False):
        before, found.last = found.last, line
        for first, last in self.known.loops:
            again = first in found.counts and first <= before <= last
            if line == first and not again:
                found.counts[first] = -1 if first in self.known.whiles else 0
            elif line == first and first not in self.known.whiles:
                found.counts[first] += 1
            elif first < line <= last and before == first and first in self.known.whiles:
                found.counts[first] += 1  # a test that holds begins an iteration, and is of the one before
            elif not first <= line <= last:
                found.counts.pop(first, None)
        loops = tuple((first, max(number, 0)) for one in self.frames for first, number in sorted(one.counts.items()))
        ran = found.now = Ran(line, len(self.frames) - 1, loops, found.frame, resumed)
        ran.index = len(self.ran)
        self.ran.append(ran)
        self.begin(ran, found.frame)

    def finish(self, found):
        if found.now:
            self.end(found.now, found.frame)
            self.ended.append(found.now)
        found.now = None


def execute(path, source, lines, around=None):
    """Run a program as a script, its lines followed; return the error that ended it."""
    main = sys.modules["__main__"] = type(sys)("__main__")
    main.__file__ = path
    sys.argv[:] = [path]
    sys.path.insert(0, str(Path(path).resolve().parent))
    code = compile(source, path, "exec", dont_inherit=True)
    threading.settrace(lines.enter)
    error = None
    with around or nullcontext():
        sys.settrace(lines.enter)
        try:
            exec(code, vars(main))
        except BaseException as found:
            error = found
        finally:
            sys.settrace(None)
            threading.settrace(None)
    return error


def listed(path, source):
    """Return the lines of a program as they ended: (line, depth, loops), whether a generator went on there, and
    their number as they began.
    """

    def work(folder):
        quiet()
        lines = Lines(path, source)
        execute(path, source, lines)
        return [(one.key, one.resumed, one.index) for one in lines.ended]

    return forked(work) or []


def quiet():
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1), os.dup2(null, 2)


def aligned(moments, ran, silent):
    """Return which of the lines that ran each step is: index of the step -> index of the line."""
    steps = {}
    for one in moments:
        if one["kind"] == "line":
            steps[one["step"]] = one["line"], one["depth"], tuple(map(tuple, one["loops"]))
    gaps = {one["step"] for one in moments if one["kind"] == "gap"}
    found, at = {}, 0
    for step, key in sorted(steps.items()):
        far = len(ran) if step in gaps else min(at + 200, len(ran))
        for index in range(at, far):
            if ran[index][0] == key:
                found[step], at = ran[index][2], index + 1
                break
            if step not in gaps and not ran[index][1] and ran[index][0][0] not in silent:
                break
        else:
            continue
    return found


# What torch did, seen from outside


class Watch(TorchFunctionMode):
    """Notes what each call of torch took and gave, and in which line nodes were made."""

    def __init__(self, lines):
        super().__init__()
        self.lines, self.numbers, self.nodes = lines, {}, {}
        self.parents = defaultdict(list)  # number of a tensor -> (of one it came from, the call, was grad on, line)
        self.made_in = defaultdict(Counter)  # index of a line -> names of the nodes that it made
        self.inputs = defaultdict(set)  # index of a line -> what its calls took
        self.forward = self.inside = 0
        self.count = count()

    def number(self, tensor):
        reference, number = self.numbers.get(id(tensor), (None, None))
        if reference is None or reference() is not tensor:
            number = next(self.count)
            self.numbers[id(tensor)] = weakref.ref(tensor), number
        return number

    def now(self):
        frame = sys._getframe(2)
        while frame is not None:
            for one in reversed(self.lines.frames):
                if one.frame is frame and one.now:
                    return one.now.index
            frame = frame.f_back
        return None

    def __torch_function__(self, function, types, args=(), kwargs=None):
        enabled = torch.is_grad_enabled() and not torch.is_inference_mode_enabled()
        self.inside += 1
        try:
            result = function(*args, **(kwargs or {}))
        finally:
            self.inside -= 1
        with torch._C.DisableTorchFunction():
            self.note(getattr(function, "__name__", ""), (args, kwargs), result, enabled, self.now())
        return result

    def note(self, name, given, result, enabled, line):
        taken, got = tensors(given), tensors(result)
        if name in ("__get__", "__set__"):
            name = "get"
        inputs = [self.number(one) for one in taken]
        if line is not None:
            self.inputs[line].update(inputs)
        for one in taken:
            self.tell_nodes(one, line)
        for one in got:
            out = self.number(one)
            self.tell_nodes(one, line)
            if not re.match(r".*_like$|new_(?!tensor)|is_|size|shape", name):
                for other in inputs:
                    if other != out:
                        self.parents[out].append((other, name, enabled, line, self.forward))

    def tell_nodes(self, tensor, line):
        todo = [tensor.grad_fn] if tensor.grad_fn is not None else []
        while todo:
            node = todo.pop()
            if node is None or node in self.nodes or type(node).__name__ == "AccumulateGrad":
                continue
            self.nodes[node] = line
            if line is not None:
                self.made_in[line][short(node)] += 1
            todo += [one for one, _ in node.next_functions]

    def ways(self, end, start):
        """Return the calls on the ways from one tensor to another; None if there's none."""
        seen, todo, calls = {end}, [end], []
        reached = False
        while todo:
            one = todo.pop()
            for other, *call in self.parents[one]:
                calls.append((one, *call))
                reached |= other == start
                if other not in seen and other != start:
                    seen.add(other)
                    todo.append(other)
        return calls if reached else None


def tensors(tree):
    found = []
    todo = [tree]
    while todo:
        one = todo.pop()
        if isinstance(one, torch.Tensor):
            found.append(one)
        elif isinstance(one, list | tuple):
            todo += one
        elif isinstance(one, dict):
            todo += one.values()
    return found


def short(node):
    return node.name().split("::")[-1]


def saved(node):
    """Yield what a node saved: its name, and the tensor or the error that comes instead."""
    for name in dir(type(node)):
        if name.startswith("_saved_") and "_sym_" not in name:
            try:
                yield name.removeprefix("_saved_"), getattr(node, name)
            except RuntimeError as error:
                yield name.removeprefix("_saved_"), error
    if isinstance(node, torch.autograd.function.BackwardCFunction):
        try:
            yield from (("saved_tensors", one) for one in node.saved_tensors)
        except RuntimeError as error:
            yield "saved_tensors", error


class Engine:
    """Notes what each call of the engine did, by hooks of its own on every node."""

    def __init__(self, lines, names):
        self.lines, self.runs, self.real = lines, [], torch.autograd._engine_run_backward
        self.names = names  # number of a run -> what is said to be a leaf there

    def __call__(self, roots, seeds, *args, **kwargs):
        run = SimpleNamespace(roots=roots, seeds=seeds, visits=[], error=None, freed=[])
        run.caller = next((f.now.index for f in reversed(self.lines.frames) if f.now), None)
        run.call = sys._getframe(1).f_code.co_name
        frame = next((f.frame for f in reversed(self.lines.frames) if f.now), None)
        run.leaves = {}
        for name in self.names[len(self.runs)]:
            with suppress(Missing):
                run.leaves[name] = evaluated(name, frame)
        self.runs.append(run)
        nodes, todo, handles = set(), [root.grad_fn if isinstance(root, torch.Tensor) else root.node for root in roots], []
        todo = [one for one in todo if one is not None]
        for root in roots:
            if isinstance(root, torch.Tensor) and root.grad_fn is None and root.requires_grad:
                todo.append(torch.autograd.graph.get_gradient_edge(root).node)
        while todo:
            node = todo.pop()
            if node in nodes:
                continue
            nodes.add(node)
            todo += [one for one, _ in node.next_functions if one is not None]
            saves = getattr(node, "_raw_saved_tensors", None) != ()  # else torch calls it freed all the same
            visit = SimpleNamespace(node=node, received=None, passed=None, before=None, after=None, saves=saves)
            handles += [node.register_prehook(self.before(visit)), node.register_hook(self.after(run, visit))]
        try:
            return self.real(roots, seeds, *args, **kwargs)
        except BaseException as error:
            run.error = error
            raise
        finally:
            for one in handles:
                one.remove()
            for visit in run.visits:
                if hasattr(visit.node, "variable"):
                    visit.after = values(visit.node.variable.grad)
                elif visit.saves and any(isinstance(value, RuntimeError) and "freed" in str(value) for _, value in saved(visit.node)):
                    run.freed.append(short(visit.node))

    @staticmethod
    def before(visit):
        def hook(received):
            visit.received = [values(one) for one in received]
            if hasattr(visit.node, "variable"):
                visit.before = values(visit.node.variable.grad)

        return hook

    @staticmethod
    def after(run, visit):
        def hook(passed, received):
            visit.passed = [values(one) for one in passed]
            run.visits.append(visit)

        return hook


def values(tensor):
    """Return a tensor's shape and numbers, None for none."""
    if tensor is None:
        return None
    with torch._C.DisableTorchFunction(), torch.no_grad():
        flat = tensor.detach().to_dense().double().reshape(-1).tolist() if not tensor.is_complex() else []
        return tuple(tensor.shape), flat


def reads_as(text, value):
    """Tell whether a text in a sentence is what a value reads as."""
    if value is None:
        return text == "None"
    shape, numbers = value
    if text.endswith("j") or "j," in text or "j]" in text:
        return True  # complex numbers aren't compared
    if found := re.match(r"(?:shape )?\(([\d, ]*)\)$", text):
        return tuple(int(one) for one in re.findall(r"\d+", found[1])) == shape
    said = [float(one) for one in re.findall(r"-?(?:\d[\d.]*(?:e[+-]?\d+)?|inf|nan)", text.replace("True", "1").replace("False", "0"))]
    return len(said) == len(numbers) and all(
        (math.isnan(one) and math.isnan(other)) or math.isclose(one, other, rel_tol=2e-4, abs_tol=1e-9)
        for one, other in zip(said, numbers, strict=True)
    )


# The decisions


def evaluated(name, frame):
    """Return what a name of a sentence leads to in a frame, as Python evaluates it."""
    code = re.sub(r"\.(\d+)", r"[\1]", name)
    while frame is not None:  # a name of the caller's, too
        with suppress(Exception):
            return eval(code, frame.f_globals, frame.f_locals)
        frame = frame.f_back if frame.f_back and frame.f_code.co_name != "<module>" else None
    raise Missing(name)


def seen(name, frame, watch):
    """Return the facts about the tensor that a name leads to; None if it leads to none."""
    try:
        tensor = evaluated(name, frame)
    except Missing:
        return None
    if not isinstance(tensor, torch.Tensor):
        return None
    with torch._C.DisableTorchFunction():
        node = tensor.grad_fn
        return SimpleNamespace(
            number=watch.number(tensor), version=tensor._version if not tensor.is_inference() else None,
            needs=tensor.requires_grad, leaf=tensor.is_leaf, storage=storage_of(tensor), node=node,
            values=values(tensor), grad=values(tensor.grad) if tensor.is_leaf or tensor.retains_grad else None,
        )


def storage_of(tensor):
    with suppress(RuntimeError, NotImplementedError):  # a sparse one has several
        return tensor.untyped_storage()._cdata
    return object()


class Case:
    """One line with what is said of it: what the names led to before it and after it."""

    def __init__(self, said):
        self.said = said
        every = (text for _, given in said for value in given.values() for text in texts(value))
        self.names = {text for text in every if NAME.fullmatch(text)}
        self.before, self.after, self.held = {}, {}, []

    def look(self, frame, watch):
        found = {name: seen(name, frame, watch) for name in self.names}
        found |= {f"{name}.grad": seen(f"{name}.grad", frame, watch) for name in self.names}
        return found


def texts(value):
    if isinstance(value, dict):
        return value.get("codes", [])
    return [value] if isinstance(value, str) else []


def visible(frame, watch):
    """Return what the variables of a frame lead to at first hand: number -> version and values."""
    found = {}
    todo = [value for names in (frame.f_globals, frame.f_locals) for name, value in list(names.items()) if not name.startswith("__")]
    for value in todo:
        if isinstance(value, torch.nn.Module) and "_parameters" not in vars(value):
            members = []  # its `__init__` has only begun
        elif isinstance(value, torch.nn.Module):
            members = [*value.parameters(), *value.buffers()]
        else:
            members = tensors(value) if not isinstance(value, type(sys)) else []
        for one in members:
            with torch._C.DisableTorchFunction():
                found[watch.number(one)] = one._version if not one.is_inference() else 0, values(one), values(one.grad) if one.is_leaf else None, one.requires_grad
    return found


class Judge:
    """Looks before and after each line that something is said of, and decides it; `verdicts` are the result."""

    def __init__(self, path, source, moments, steps):
        said = defaultdict(list)
        for one in moments:
            if one["kind"] == "line" and one["step"] in steps:
                said[steps[one["step"]]] += [sentence for way in one["said"] for sentence in way]
        self.cases = {index: Case(sentences) for index, sentences in said.items()}
        self.lines = Lines(path, source, self.begin, self.end)
        names = defaultdict(set)
        for one in moments:
            if one["kind"] == "event":
                names[one["run"]] |= {of_list(given["to"])[-1] for _, given in one["said"][0] if "to" in given}
        self.watch, self.engine = Watch(self.lines), Engine(self.lines, names)
        self.verdicts = []

    def begin(self, now, frame):
        case = self.cases.get(now.index)
        if case is None:
            return
        with torch._C.DisableTorchFunction():
            case.inside, case.before = self.watch.inside, case.look(frame, self.watch)
            keys = {key for key, _ in case.said}
            if keys & {"nothing", "printed"}:
                case.seen = visible(frame, self.watch)
            if "leaf_new" in keys:
                case.held = [one for one in gc.get_objects() if isinstance(one, torch.Tensor)]

    def end(self, now, frame):
        case = self.cases.pop(now.index, None)
        if case is None:
            return
        with torch._C.DisableTorchFunction():
            case.now, case.frame = now, frame
            case.after = case.look(frame, self.watch)
            case.stack = {one.now.index for one in self.lines.frames if one.now}
            for key, given in case.said:
                decide = DECIDE.get(key)
                verdict = UNSURE
                if decide and not (case.inside and key in BY_CALLS):
                    with suppress(Missing, KeyError, AttributeError):  # a name that leads to nothing in these runs
                        verdict = decide(case, given, self.watch, self.engine)
                self.verdicts.append((now.line, key, str(given), verdict))

    def apply(self, function, *args, **kwargs):
        """Take the place of `Function.apply`, which a mode doesn't hear."""
        self.watch.forward += 1
        enabled = torch.is_grad_enabled()
        try:
            found = self.real.__func__(function, *args, **kwargs)
        finally:
            self.watch.forward -= 1
        with torch._C.DisableTorchFunction():
            self.watch.note("apply", (args, kwargs), found, enabled, self.watch.now())
        return found

    def run(self, path, source):
        """Run the program; return the error that ended it."""
        self.real = torch.autograd.Function.apply
        torch.autograd.Function.apply = classmethod(lambda function, *args, **kwargs: self.apply(function, *args, **kwargs))
        torch.autograd._engine_run_backward = self.engine
        return execute(path, source, self.lines, self.watch)


def judged(path, source, moments, steps):
    """Return for each sentence its line, its key, what it says, and True, False, or None if that's undecided."""

    def work(folder):
        quiet()
        judge = Judge(path, source, moments, steps)
        error = judge.run(path, source)
        return judge.verdicts + judged_events(moments, judge.engine), error and type(error).__name__

    return forked(work)


def of_list(value):
    return value["codes"] if isinstance(value, dict) else [value]


def decide_recorded(case, given, watch, engine):
    made = watch.made_in[case.now.index]
    told = Counter(of_list(given["nodes"]))
    return not told - made and (given["nodes"]["count"] <= sum(made.values()))


def decide_saved(case, given, watch, engine):
    made = [(name, value) for node, line in watch.nodes.items() if line == case.now.index for name, value in saved(node)]
    told = given["saved"]["codes"]
    if ENGLISH["packed"] in given["saved"]["text"]:
        return UNSURE  # a hook of the program holds it
    for name, text in zip(told[::2], told[1::2], strict=True):
        values_of = [value for key, value in made if key == re.sub(r"\[\d+\]$", "", name)]
        parts = [part for value in values_of for part in (value if isinstance(value, tuple | list) else [value])]
        if any(isinstance(one, RuntimeError) for one in parts):
            return UNSURE
        if not any(isinstance(one, torch.Tensor) and reads_as(text, values(one)) for one in parts):
            return False
    return True


def decide_saved_many(case, given, watch, engine):
    made = [value for node, line in watch.nodes.items() if line == case.now.index for _, value in saved(node)]
    parts = [part for value in made for part in (value if isinstance(value, tuple | list) else [value])]
    return sum(isinstance(one, torch.Tensor | RuntimeError) for one in parts) >= given["n"] > 2


def decide_leaf(case, given, watch, engine):
    verdict = True
    for name in of_list(given["name"]):
        now, then = case.after[name], case.before[name]
        is_old = then is not None and then.number == now.number and then.needs
        held = not is_old and any(one is evaluated(name, case.frame) for one in case.held) and not (then is not None and then.number == now.number)
        verdict &= now.needs and now.leaf and not is_old and not held
    return verdict


def decide_plain(case, given, watch, engine):
    now = case.after[given["name"]]
    return not now.needs


def decide_same(case, given, watch, engine):
    one, other = case.after[given["name"]], case.after[given["other"]]
    return one.number == other.number


def decide_shares(case, given, watch, engine):
    one, other = case.after[given["name"]], case.after[given["other"]]
    return one.storage == other.storage and one.number != other.number


def decide_cut(case, given, watch, engine):
    end = case.after[given["name"]]
    start = case.before.get(given["before"]) or case.after.get(given["before"])
    if start is None:
        return UNSURE
    if given["name"] == given["before"]:
        start = case.before[given["before"]]
    ways = watch.ways(end.number, start.number)
    if ways is None or end.needs or not start.needs:
        return False
    if given["why"] == "detach":
        return any(name.startswith(("detach", "get")) for _, name, *_ in ways)
    if given["why"]:
        return any(not enabled for _, _, enabled, *_ in ways)
    return all(enabled for _, _, enabled, line, _ in ways if line == case.now.index) and not any(
        name.startswith("detach") for _, name, _, line, _ in ways if line == case.now.index
    )


def decide_forward(case, given, watch, engine):
    end = case.after[given["name"]]
    return any(forward for *_, forward in watch.parents[end.number])


def decide_inner(case, given, watch, engine):
    start = case.before.get(given["before"]) or case.after.get(given["before"])
    cut = {out for out, every in watch.parents.items() for other, name, _, line, _ in every
           if other == start.number and line in case.stack and name.startswith(("detach", "get"))}
    return bool(cut & watch.inputs[case.now.index])


def decide_version(case, given, watch, engine):
    verdict = bool(of_list(given["name"]))
    for name in of_list(given["name"]):
        then, now = case.before[name], case.after[name]
        verdict &= then is not None and (then.version, now.version) == (given["old"], given["new"])
        verdict &= then.storage == now.storage
    return verdict


def decide_had_saved(case, given, watch, engine):
    for node in watch.nodes:
        if short(node) == given["node"]:
            for _, value in saved(node):
                if isinstance(value, RuntimeError) and f"expected version {given['old']} " in str(value):
                    return True
    return UNSURE  # the node may be one that nobody holds any more


def decide_handed(case, given, watch, engine):
    then = case.before[given["name"]]
    root = re.split(r"[.\[]", given["name"])[0]
    code = case.frame.f_code
    return root in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + 2] and then is not None and reads_as(given["value"], case.after[given["name"]].values)


def decide_silent(case, given, watch, engine):
    then, now = case.before[given["name"]], case.after[given["name"]]
    return then.number == now.number and then.version == now.version and then.values != now.values


def decide_requires(case, given, watch, engine):
    then, now = case.before[given["name"]], case.after[given["name"]]
    return then.number == now.number and then.needs != now.needs and given["flag"].endswith(str(now.needs))


def decide_grad(case, given, watch, engine):
    then, now = case.before.get(given["grad"]), case.after.get(given["grad"])
    return reads_as(given["old"], then and then.values) and reads_as(given["new"], now and now.values) and given["old"] != given["new"]


def decide_grads(case, given, watch, engine):
    changed = []
    for name in given["names"]["codes"]:
        then, now = case.before.get(name), case.after.get(name)
        changed.append((then and (then.values, then.number)) != (now and (now.values, now.number)))
    return all(changed)


def decide_gone(case, given, watch, engine):
    return all(case.before[name] is not None and case.after[name] is None for name in given["names"]["codes"])


def decide_nothing(case, given, watch, engine):
    after = visible(case.frame, watch)
    return all(after[one] == facts or str(after[one]) == str(facts) for one, facts in case.seen.items() if one in after)


def statement(case, lines, *kinds):
    return any(isinstance(node, kinds) and lines.known.start.get(node.lineno) == case.now.line for node in ast.walk(lines.known.tree) if hasattr(node, "lineno"))


def decide_kind(*kinds):
    return lambda case, given, watch, engine: statement(case, watch.lines, *kinds)


def decide_defined(case, given, watch, engine):
    return callable(evaluated(given["name"], case.frame)) and statement(case, watch.lines, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def decide_returned(case, given, watch, engine):
    return case.frame.f_code.co_name == given["function"]


def decide_loop(case, given, watch, engine):
    text = given["iteration"]
    if found := re.match(r"(\w+) = (\d+)$", text):
        return evaluated(found[1], case.frame) == int(found[2])
    found = re.match(r"iteration (\d+)$", text)
    return case.now.loops[-1][1] + 1 == int(found[1]) if found else UNSURE


def decide_over(case, given, watch, engine):
    node = next(n for n in ast.walk(watch.lines.known.tree) if isinstance(n, ast.For | ast.While) and watch.lines.known.start[n.lineno] == case.now.line)
    return not node.lineno < case.frame.f_lineno <= node.end_lineno or case.frame.f_lineno == node.lineno


def decide_backward(case, given, watch, engine):
    return sum(len(run.visits) for run in engine.runs if run.caller == case.now.index) == given["n"]


def decide_nan(case, given, watch, engine):
    def has_nan(facts):
        return facts is not None and any(map(math.isnan, facts.values[1]))

    then, now = case.before[given["name"]], case.after[given["name"]]
    return has_nan(now) and not (then is not None and then.number == now.number and has_nan(then))


DECIDE = {
    "nan": decide_nan,
    "recorded": decide_recorded, "also_recorded": decide_recorded, "leaf_new": decide_leaf, "plain_new": decide_plain,
    "same_new": decide_same, "shares": decide_shares, "cut_detach": decide_cut, "cut_no_grad": decide_cut,
    "saved": decide_saved, "saved_many": decide_saved_many, "cut_operation": decide_cut, "cut_forward": decide_forward, "inner_cut": decide_inner, "version": decide_version,
    "had_saved": decide_had_saved, "handed": decide_handed, "silent": decide_silent, "requires": decide_requires,
    "requires_not": decide_requires, "grad_set": decide_grad, "grads_set": decide_grads, "gone": decide_gone,
    "nothing": decide_nothing, "printed": decide_nothing, "imported": decide_kind(ast.Import, ast.ImportFrom),
    "defined": decide_defined, "returned": decide_returned, "loop_line": decide_loop, "loop_over": decide_over,
    "with_line": decide_kind(ast.With, ast.AsyncWith), "ran_backward": decide_backward,
}


BY_CALLS = ("recorded", "also_recorded", "saved", "saved_many", "cut_no_grad", "cut_detach", "cut_operation", "cut_forward",
            "inner_cut")  # decided by calls of torch, which aren't heard within another, such as `backward`


def judged_events(moments, engine):
    """Decide what is said of the engine: its visits in order, what they received and where it went."""
    found, counts = [], Counter()
    for one in moments:
        if one["kind"] == "event" and one["run"] is not None and one["run"] < len(engine.runs):
            run = engine.runs[one["run"]]
            if one["event"] == "visit":
                number = counts[one["run"]]
                counts[one["run"]] += 1
                visit = run.visits[number] if number < len(run.visits) else None
                verdicts = of_visit(run, visit, one["said"][0]) if visit else [UNSURE] * len(one["said"][0])
            else:
                verdicts = [of_run(run, key, given) for key, given in one["said"][0]]
            found += [(one["line"], key, str(given), verdict) for (key, given), verdict in zip(one["said"][0], verdicts, strict=True)]
    return found


def of_visit(run, visit, said):
    """Yield whether each sentence about a node's visit is true."""
    nodes = [node for node, _ in visit.node.next_functions]
    slots = [(node, value) for node, value in zip(nodes, visit.passed or (), strict=False) if node is not None and value is not None]
    for key, given in said:
        if key in ("passed", "passed_local", "passed_to", "passed_also") and slots:
            node, value = slots.pop(0)
            verdict = reads_as(given["passed"], value) and is_target(given["to"], node, run.leaves)
            if "node" in given:
                received = of_list(given["received"])[-1]
                verdict &= given["node"] == short(visit.node)
                verdict &= len(visit.received) != 1 or reads_as(received, visit.received[0])
            yield verdict
        elif key == "nan":
            nan = [any(value is not None and any(map(math.isnan, value[1])) for value in all) for all in (visit.received, visit.passed)]
            yield nan == [False, True]
        elif key in ("leaf_first", "leaf_sum", "leaf_frozen"):
            verdict = hasattr(visit.node, "variable") and reads_as(of_list(given["received"])[-1], visit.received[0])
            if key != "leaf_frozen":
                verdict &= reads_as(given["old"], visit.before)
            yield verdict
        else:
            yield UNSURE


def of_run(run, key, given):
    """Tell whether a sentence about a run of the engine is true."""
    if key == "start":
        if isinstance(given["call"], dict):
            return UNSURE  # it says only that the engine starts
        called = given["call"]
        return (called.removesuffix("()").split(".")[-1] == "backward") == (run.call == "backward")
    if key == "freed_many":
        return given["n"] == len(run.freed)
    if key == "freed":
        return of_list(given["nodes"]) == run.freed
    if key in ("failed_version", "failed_written"):
        return f"is at version {given['met']}; expected version {given['wanted']} " in str(run.error)
    if key == "failed_freed":
        return "second time" in str(run.error)
    if key in ("failed", "failed_after", "failed_start"):
        return run.error is not None and (key != "failed_start" or not run.visits)
    return UNSURE


def is_target(to, node, leaves):
    codes = of_list(to)
    if not hasattr(node, "variable"):
        return codes[0] == short(node) or len(codes) == 1
    found = leaves.get(codes[-1])  # of a function that has returned there's none
    return found is None or found is node.variable


def verdicts(path, source, moments):
    """Return what `judged` does of a trace's moments, the steps that aren't lines of a plain run, and its error."""
    steps = aligned(moments, listed(path, source), Statements(source).quiet)
    lost = [one["line"] for one in moments if one["kind"] == "line" and one["step"] not in steps]
    found, error = judged(path, source, moments, steps) or ([], "no result")
    return found, lost, error


def told(page, trace, source):
    """Return what the view says of a trace, in a page that has its script: see `told.js`."""
    return page.evaluate(TOLD, {"trace": json.loads(compact.write(trace)), "lines": source.split("\n"), "words": ENGLISH})


def programs():
    """Return the real programs: the path and the source of each file that is run."""
    files = [path for path in sorted(REAL.rglob("*.py")) if path.parent == REAL or path.stem in ("main", "train")]
    return [(str(path), path.read_text("utf-8")) for path in files]
