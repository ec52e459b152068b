"""Decides each sentence about a line: what its names led to before it and after it, and what torch did in it."""

import ast
import gc
import math
import re
from collections import Counter
from contextlib import suppress
from types import SimpleNamespace

import torch
from torch.nn.modules.batchnorm import _BatchNorm

from support.trace.sentences.outside import (
    Missing,
    evaluated,
    is_about,
    reads_as,
    saved,
    short,
    tensors,
    values,
)
from support.trace.sentences.ran import printed

UNSURE = None  # whether a sentence is true that these runs can't decide
NAME = re.compile(r"[A-Za-z_]\w*(\.\w+|\[(\d+|'[^']*')\])*")
DETACHING = {"detach": ("detach", "get"), ".data": "get", "detach/.data": ("detach", "get")}  # how a call begins that cuts, by what is said of it
# By calls of torch, which aren't heard within another, such as `backward`
BY_CALLS = {"recorded", "also_recorded", "saved", "saved_many", "cut_no_grad", "cut_detach", "cut_operation", "cut_forward", "inner_cut"}
DECIDE = {}


def decides(*keys):
    def register(decide):
        DECIDE.update(dict.fromkeys(keys, decide))
        return decide

    return register


def codes(value):
    """Return the names, or the texts, that fill a place of a sentence."""
    return value["codes"] if isinstance(value, dict) else [value]


class Case:
    """One line with what is said of it; `before` and `after` are what the names led to."""

    def __init__(self, said, watch, engine):
        self.said, self.watch, self.engine, self.keys = said, watch, engine, {key for key, _ in said}
        texts = [text for _, given in said for value in given.values() if isinstance(value, str | dict) for text in codes(value)]
        names = {text for text in texts if NAME.fullmatch(text)}
        self.names = names | {f"{name}.grad" for name in names}

    def begin(self, frame):
        self.frame, self.inside, self.before = frame, self.watch.inside, self.look(frame)
        self.printed = printed()
        self.grads = held_grads() if self.keys & {"emptied", "emptied_none", "unscaled"} else set()
        self.seen = self.visible(frame) if self.keys & {"nothing", "printed"} else {}
        alive = gc.get_objects() if "leaf_new" in self.keys else ()
        self.held = {self.watch.number(one) for one in alive if isinstance(one, torch.Tensor)}

    def end(self, now, frame):
        """Yield the line, the key, what is said, and True, False, or None if that is undecided."""
        self.now, self.after = now, self.look(frame)
        for key, given in self.said:
            verdict = UNSURE
            if key in DECIDE and not (key in BY_CALLS and (self.inside or now.index in self.watch.unsure)):
                with suppress(Missing, KeyError, AttributeError):  # a name that leads to nothing in these runs
                    verdict = DECIDE[key](self, **given)
            yield now.line, key, str(given), verdict

    def look(self, frame):
        return {name: self.facts(name, frame) for name in self.names}

    def facts(self, name, frame):
        try:
            tensor = evaluated(name, frame)
        except Missing:
            return None
        if not isinstance(tensor, torch.Tensor):
            return None
        return SimpleNamespace(
            number=self.watch.number(tensor), version=version_of(tensor), values=values(tensor),
            needs=tensor.requires_grad, storage=storage_of(tensor), **history_of(tensor),
        )

    def visible(self, frame):
        """Return what the variables of a frame lead to at first hand, or as a module's parameters."""
        return {self.watch.number(one): str((version_of(one), values(one), values(one.grad) if history_of(one)["leaf"] else None, one.requires_grad)) for one in shallow(frame)}

    def start(self, name):
        """Return what a name led to before the line, or leads to after it if it led nowhere."""
        return self.before.get(name) or self.after.get(name)


def version_of(tensor):
    return None if tensor.is_inference() else tensor._version


def history_of(tensor):
    with suppress(RuntimeError):  # a view whose node is lost has neither
        return {"leaf": tensor.is_leaf, "node": tensor.grad_fn}
    return {"leaf": False, "node": None}


def storage_of(tensor):
    with suppress(RuntimeError, NotImplementedError):  # a sparse one has several
        return tensor.untyped_storage()._cdata
    return object()


def shallow(frame):
    for names in (frame.f_globals, frame.f_locals):
        for name, value in list(names.items()):
            if isinstance(value, torch.nn.Module):
                yield from [*value.parameters(), *value.buffers()] if "_parameters" in vars(value) else []
            elif not name.startswith("__") and not isinstance(value, type(ast)):
                yield from tensors(value)


@decides("recorded", "also_recorded")
def recorded(case, nodes, **_):
    made = case.watch.made_in[case.now.index]
    return not Counter(codes(nodes)) - made and nodes["count"] <= sum(made.values())


def saved_by(case):
    return [one for node, line in case.watch.nodes.items() if line == case.now.index for one in saved(node)]


@decides("saved")
def saved_one(case, saved):
    told = saved["codes"]
    for name, text in zip(told[::2], told[1::2], strict=True):
        found = [one for key, one in saved_by(case) if key == re.sub(r"\[\d+\]$", "", name)]
        if any(isinstance(one, RuntimeError) for one in found):
            return UNSURE
        if not any(isinstance(one, torch.Tensor) and reads_as(text, values(one)) for one in found):
            return False
    return True


@decides("saved_many")
def saved_several(case, n):
    return sum(isinstance(one, torch.Tensor | RuntimeError) for _, one in saved_by(case)) >= n > 2


@decides("leaf_new")
def new_leaf(case, name, grad):
    for one in codes(name):
        now, then = case.after[one], case.before[one]
        is_same = then is not None and then.number == now.number
        if not (now.needs and now.leaf) or (then.needs if is_same else now.number in case.held):
            return False
    return True


@decides("shares")
def shares(case, name, other):
    one, other = case.after[name], case.after[other]
    return one.storage == other.storage and one.number != other.number


@decides("cut_detach", "cut_no_grad", "cut_operation")
def cut(case, name, before, why):
    found = [cut_from(case, name, one, why) for one in codes(before)]
    return False if False in found else UNSURE if UNSURE in found else True


def cut_from(case, name, before, why):
    end, start = case.after[name], case.before[before] if name == before else case.start(before)
    if start is None:
        return UNSURE
    ways = case.watch.ways(end.number, start.number)
    if ways is None or (end.needs and not end.leaf) or not start.needs:
        return False
    if why in DETACHING:
        return any(call.startswith(DETACHING[why]) for call, *_ in ways)
    if why:
        return any(not enabled for _, enabled, *_ in ways)
    own = [(call, enabled) for call, enabled, line, _ in ways if line == case.now.index]
    return all(enabled and not call.startswith("detach") for call, enabled in own)


@decides("inner_cut")
def cut_within(case, before, why):
    stack = {one.now.index for one in case.watch.lines.frames if one.now}
    cuts = [(out, other) for out, every in case.watch.parents.items() for other, call, _, line, _ in every
            if (line in stack or line > case.now.index) and call.startswith(("detach", "get"))]  # or in what it called
    for one in codes(before):
        start = case.start(one).number
        cut = {out for out, other in cuts if other == start or case.watch.ways(other, start)}
        if not cut & case.watch.inputs[case.now.index]:
            return False
    return True


@decides("version")
def versions(case, name, old, new, **_):
    pairs = [(case.before[one], case.after[one]) for one in codes(name)]
    return bool(pairs) and all(
        then is not None and (then.version, now.version, then.storage) == (old, new, now.storage) for then, now in pairs
    )


@decides("versions")
def several_versions(case, names, **_):
    told = re.findall(r"([^\s,]+) \((\d+) → (\d+)\)", names["text"])
    return bool(told) and all(versions(case, name, int(old), int(new)) for name, old, new in told)


@decides("results")
def given_names(case, results):
    """Tell whether names lead to values after the line, in `x = 2 (MulBackward0), y = shape (3,)`."""
    name = r"(?:[^\s\[]|\[[^\]]*\])+"  # `ways['detach + clone']` too
    told = re.findall(rf"({name}) = ((?:shape \(.*?\)|[^(]*?))(?: \((\w+)\))?(?=, {name} = | …|$)", results["text"])
    return len(told) == len(re.findall(" = ", results["text"])) > 0 and all(
        reads_as(value, case.after[name].values) and (short(case.after[name].node) if case.after[name].node else "") == node
        for name, value, node in told
    )


@decides("moved")
def moved(case, name):
    pairs = [(case.before[one], case.after[one]) for one in codes(name)]
    return all(then.storage != now.storage and then.version == now.version for then, now in pairs)


@decides("running")
def running(case, name):
    modules = [evaluated(one.rpartition(".")[0], case.frame) for one in codes(name)]
    return all(isinstance(one, _BatchNorm) for one in modules) and all(unnoticed(case, one) for one in codes(name))


@decides("had_saved")
def saved_before(case, node, old):
    errors = [str(one) for made in case.watch.nodes if made.name().split("::")[-1] == node for _, one in saved(made)]
    return True if any(f"expected version {old} " in one for one in errors) else UNSURE  # nobody may hold the node any more


@decides("handed")
def argument(case, name, value):
    before = case.before[name]
    return is_argument(case.frame, name) and before is not None and reads_as(value, before.values)


@decides("handed_unread")
def unread_argument(case, name, **_):
    return is_argument(case.frame, name) and case.before[name] is not None


def is_argument(frame, name):
    code = frame.f_code
    return re.split(r"[.\[]", name)[0] in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + 2]


@decides("silent", "silent_harmless", "silent_inference")
def unnoticed(case, name):
    pairs = [(case.before[one], case.after[one]) for one in codes(name)]
    return all((then.number, then.version) == (now.number, now.version) and then.values != now.values for then, now in pairs)


@decides("requires_true")
def asked(case, name, needs=True):
    pairs = [(case.before[one], case.after[one]) for one in codes(name)]
    return all(then.number == now.number and (then.needs, now.needs) == (not needs, needs) for then, now in pairs)


@decides("requires_false")
def asked_no_more(case, name):
    return asked(case, name, needs=False)


@decides("grad_set")
def gradient(case, grad, old, new):
    then, now = case.before.get(grad), case.after.get(grad)
    return reads_as(old, then and then.values) and reads_as(new, now and now.values) and old != new


@decides("grads_set")
def gradients(case, names):
    facts = [(state.get(name) and (state[name].values, state[name].number) for state in (case.before, case.after)) for name in codes(names)]
    return all(then != now for then, now in facts)


@decides("grads_scaled")
def multiplied(case, names, n):
    (_, then), (_, now) = (state[codes(names)[0]].values for state in (case.before, case.after))
    if then is None or now is None:
        return UNSURE
    return all(math.isclose(a * float(n), b, rel_tol=2e-3, abs_tol=1e-12) for a, b in zip(then, now, strict=True))


@decides("grads_zero")
def zeros(case, names):
    now = [case.after[one].values[1] for one in codes(names)]
    are_new = all(case.before[one] is None for one in codes(names))
    return UNSURE if None in now else are_new and not any(map(any, now))


@decides("update", "update_none", "update_some", "update_zero")
def stepped(case, by, n, zero=0, none=0, **_):
    """An optimizer of that class has as many gradients that are something, 0 and None; a step changes none."""
    def count(optimizer):
        held = {id(one): one for group in optimizer.param_groups for one in group["params"]}  # one may be there twice
        grads = [one.grad for one in held.values()]
        return Counter("none" if grad is None else "some" if grad.is_sparse or grad.count_nonzero() else "zero" for grad in grads)

    every = (one for one in gc.get_objects() if isinstance(one, torch.optim.Optimizer))
    alive = [one for one in every if type(one).__name__ == by]
    return any(count(one) == +Counter(some=n - zero, zero=zero, none=none) for one in alive) if alive else UNSURE


def held_grads():
    """Return how many gradients there are in each optimizer and module."""
    every = (one for one in gc.get_objects() if isinstance(one, torch.optim.Optimizer | torch.nn.Module))
    groups = ([p for group in one.param_groups for p in group["params"]] if isinstance(one, torch.optim.Optimizer) else one.parameters() for one in every)
    return {len({id(p) for p in group if p.grad is not None}) for group in groups}


@decides("emptied", "emptied_none", "unscaled")
def emptied(case, n, **_):
    return int(n) in case.grads


@decides("update_without")
def without(case, names):
    return all(evaluated(name, case.frame).grad is None for name in codes(names))


@decides("cut_away", "hooked", "kept")
def read(case, name, by, **_):
    """It reads a tensor that requires grad, and that's a result where its gradient is to be kept."""
    tensor = evaluated(codes(name)[0], case.frame)
    has_run = by not in ("detach()", ".data") or any(did_cut(by, *one) for one in case.watch.left[case.now.line])
    return has_run and tensor.requires_grad and (by != "retain_grad()" or tensor.retains_grad or tensor.is_leaf)


@decides("update_still")
def still(case):
    every = (one for one in gc.get_objects() if isinstance(one, torch.optim.Optimizer))
    return any(all(group.get("lr") == 0 for group in one.param_groups) for one in every)


@decides("loop_line")
def iteration(case, iteration):
    if found := re.match(r"(\w+) = (\d+)$", iteration):
        return evaluated(found[1], case.frame) == int(found[2])
    found = re.match(r"iteration (\d+)$", iteration)
    return case.now.loops[-1][1] + 1 == int(found[1])


@decides("loop_over")
def over(case):
    loops, line = case.watch.lines.known.on(case.now.line, ast.For, ast.While), case.frame.f_lineno
    return any(line == node.lineno or not node.lineno < line <= node.end_lineno for node in loops)


def without_grad(case, name):
    tensor = evaluated(codes(name)[0], case.frame)
    return tensor if (tensor.grad if tensor.is_leaf or tensor.retains_grad else None) is None else torch.ones(1)


@decides("none_intermediate")
def keeps_none(case, name, **_):
    tensor = without_grad(case, name)
    return not tensor.is_leaf and not tensor.retains_grad


@decides("none_plain", "none_made", "none_start")
def needs_none(case, name, line=None, by="", **_):
    calls = case.watch.left[line] if line else [("", [], True)]
    tensor = without_grad(case, name)
    is_view = tensor._base is not None and tensor._base.requires_grad and tensor.is_leaf and bool(by)  # without a node
    return (is_view or not tensor.requires_grad) and any(did_cut(by, *call) for call in calls)


@decides("none_apart", "none_cut", "none_operation")
def has_no_path(case, name, line=None, by="", **_):
    tensor = without_grad(case, name)
    runs = [run for run in case.engine.runs if run.error is None]
    if not runs or any(getattr(node, "variable", None) is tensor for run in runs for node in run.nodes):
        return False
    start = case.watch.number(tensor)
    calls = [one for one in case.watch.left[line] if any(name == start or case.watch.ways(name, start) for name in one[1])]
    return not line or any(did_cut(by, *call) for call in calls)


def did_cut(by, call, taken, enabled):
    """Tell whether a call may be what cut a path: `.data` is read by `__get__`."""
    if by in ("torch.no_grad()", "torch.inference_mode()"):
        return not enabled
    name = by.strip(".()").replace("data", "get").split(".")[-1]
    return not by or call in (name, f"__{name}__")


@decides("nan")
def first_nan(case, name):
    def has_nan(facts):
        return facts is not None and any(map(math.isnan, facts.values[1]))

    then, now = case.before[name], case.after[name]
    is_same = then is not None and then.number == now.number
    return has_nan(now) and not (is_same and has_nan(then) and not is_argument(case.frame, name))


@decides("set")
def set_to(case, numbers, **_):
    pairs = [text.split(" = ") for text in codes(numbers)]
    paths = [(name, number) for name, number in pairs if not name.isidentifier()]  # for others see `judged_numbers`
    return all(is_about(float(number), evaluated(name, case.frame)) for name, number in paths) if paths else UNSURE


def sends(is_true):
    """Return what decides whether a condition was true: the next line of its frame is in the block."""
    def decide(case, **_):
        blocks = [node.body for node in case.watch.lines.known.on(case.now.line, ast.If)]
        return any(is_true == (body[0].lineno <= case.frame.f_lineno <= body[-1].end_lineno) for body in blocks)

    return decide


def skips(case):
    """Tell whether the block of a loop didn't run: neither the line before it in its frame is there, nor the next."""
    blocks = [node.body for node in case.watch.lines.known.on(case.now.line, ast.For)]
    around = case.now.previous, case.frame.f_lineno
    return any(all(not body[0].lineno <= line <= body[-1].end_lineno for line in around) for body in blocks)


def switches(is_on):
    """Return what decides whether a module of a class that a line calls a mode of is in it."""
    def decide(case, module, **_):
        nodes = (part for node in case.watch.lines.known.on(case.now.line, ast.stmt) for part in ast.walk(node))
        called = (one.func for one in nodes if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute))
        found = [evaluated(ast.unparse(one.value), case.frame) for one in called if one.attr in ("train", "eval")]
        return any(type(one).__name__ == module and one.training == is_on for one in found) if found else UNSURE

    return decide


def unrecorded(case, name):
    """Tell whether nothing that a line computes is recorded, unless it's asked for in it."""
    is_off = not torch.is_grad_enabled() or torch.is_inference_mode_enabled()
    return not case.after[name].needs and is_off


def nothing(case, **_):
    after = case.visible(case.frame)
    return all(after[one] == facts for one, facts in case.seen.items() if one in after)


def side(is_left):
    """Return what decides whether a block is left: the line before it in its frame was in the block."""
    def decide(case, **_):
        blocks = [node.body for node in case.watch.lines.known.on(case.now.line, ast.With, ast.AsyncWith)]
        return any(is_left == (body[0].lineno <= case.now.previous <= body[-1].end_lineno) for body in blocks)

    return decide


def is_statement(*kinds):
    return lambda case, **_: bool(case.watch.lines.known.on(case.now.line, *kinds))



def visited(case):
    return sum(len(run.visits) for run in case.engine.runs if run.caller is case.now)


is_function, is_class = is_statement(ast.FunctionDef, ast.AsyncFunctionDef), is_statement(ast.ClassDef)
DECIDE |= {
    "condition_true": sends(True),
    "condition_false": sends(False),
    "loop_none": skips,
    "mode_training": switches(True),
    "mode_evaluation": switches(False),
    "mode_training_before": switches(True),
    "mode_evaluation_before": switches(False),
    "cut_forward": lambda case, name, **_: any(forward for *_, forward in case.watch.parents[case.after[name].number]),
    "cut_parameter": lambda case, name, **_: case.after[name].needs and case.after[name].is_leaf,
    "defined_class": lambda case, name: isinstance(evaluated(name, case.frame), type) and is_class(case),
    "defined_def": lambda case, name: callable(evaluated(name, case.frame)) and is_function(case),
    "grads_reset": lambda case, names: all(case.before[name] and not case.after[name] for name in codes(names)),
    "inner_detach": lambda case: any(did_cut("detach()", *call) for call in case.watch.left[case.now.line]),
    "place": lambda case, line: True,  # a part of other sentences
    "recomputed": lambda case, line: case.now.raised is not None,
    "gone": lambda case, names: all(case.before[name] and not case.after[name] for name in codes(names)),
    "imported": is_statement(ast.Import, ast.ImportFrom),
    "node_hidden": lambda case: True,  # the recording's own limit
    "nothing": nothing,
    **dict.fromkeys(("plain_off", "plain_forward", "plain_backward"), unrecorded),
    "plain_new": lambda case, name: not case.after[name].needs,
    "warned": lambda case, **_: printed() > case.printed or UNSURE,
    "printed_ran": lambda case, **_: printed() > case.printed,
    "printed": lambda case, **_: nothing(case) and printed() > case.printed,
    "clip_none": lambda case, **_: all(case.before.get(one) == facts for one, facts in case.after.items() if one.endswith(".grad")),
    "left": nothing,
    **dict.fromkeys(("raised", "exits"), lambda case, **_: case.now.raised is not None),
    "ran": lambda case, **_: True,  # as a line of the plain run was found for the step
    "ran_backward": lambda case, n, **_: visited(case) == n,
    "ran_backward_least": lambda case, n, **_: visited(case) >= n,
    "returned": lambda case, function: case.frame.f_code.co_name == function,
    "same_new": lambda case, name, other: case.after[name].number == case.after[other].number,
    "with_entered": side(False),
    "with_left": side(True),
    "with_line": is_statement(ast.With, ast.AsyncWith),
}
