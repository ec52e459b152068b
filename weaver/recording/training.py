"""Notices how a program uses torch's optimizers, modules, hooks, losses and scalers.

Nothing is patched: the trace function, which Python calls for torch's functions too, recognizes some of
them by their code objects, and reads their arguments.
"""

from collections.abc import Callable, Iterable, Mapping
from inspect import unwrap
from itertools import count
from math import inf
from types import CodeType, FrameType, FunctionType, GeneratorType, MethodType
from typing import Any
from weakref import ref

import torch
from torch.distributions import Distribution, Normal
from torch.nn import functional
from torch.nn.utils import clip_grad
from torch.optim import Optimizer
from torch.utils.checkpoint import checkpoint

from weaver.recording import tensors as t
from weaver.recording import torch_private as private
from weaver.recording.acts import MOST, USED, Act
from weaver.recording.facts import aside, gradient_kind, value_of
from weaver.recording.model import TensorState
from weaver.recording.modules import modules, parameters, parameters_used
from weaver.recording.nodes import Nodes
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import callable_name, class_name, is_used_up, own_dict
from weaver.recording.optimizers import held_by, is_still, with_gradient
from weaver.recording.window import has_nan

PARAMETERS = torch.nn.Module.parameters.__code__
LOSSES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
DROPOUTS = ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")
HOOKS = {
    torch.Tensor: ("register_hook", "register_post_accumulate_grad_hook"),
    torch.nn.Module: (
        "register_forward_hook",
        "register_forward_pre_hook",
        "register_full_backward_hook",
        "register_full_backward_pre_hook",
    ),
}
Asked = Callable[["Training", dict[str, Any], FrameType], Act | None]


class Training:
    """Notes acts while a program runs; `graph` gives each tensor's place.

    `at` returns the line that runs, the number of its step, the loops around it; None outside the program.
    """

    def __init__(self, graph: Nodes, at: Callable[[], tuple[int, int, tuple[tuple[int, int], ...]] | None]):
        self.graph, self.at = graph, at
        self.on_step: Callable[[], None] = lambda: None
        self.on_make = self.on_run = self.on_step  # an optimizer; the engine
        self.acts: list[Act] = []
        self.runs, self.is_evaluating = 0, False  # of the engine, that have begun; since a call of eval()
        self._numbers: dict[int, tuple[ref[Any], int]] = {}  # of optimizers and modules, by their ids
        self._next = count()
        self.made: dict[int, Act] = {}  # of optimizers, by their numbers
        self.optimizers: list[ref[Optimizer]] = []
        self._hooks: dict[CodeType, list[Act]] = {}
        self._times: dict[int, int] | None = {}  # line -> its calls of the engine, until a loss isn't finite

    def hear(self, frame: FrameType, is_watched: bool) -> None:
        """Hear that one of the functions of HEARD is called."""
        asked = HEARD[id(frame.f_code)]
        if not is_watched and asked not in (_optimizer, _hook, _mode):
            return
        if len(self.acts) < MOST and (at := self.at()):
            records = private.is_grad_enabled() and not private.is_inference_mode_enabled()
            with aside():
                act = asked(self, frame.f_locals, frame)
            if act:
                self.is_evaluating = not act.on if act.kind == "mode" else self.is_evaluating
                act.records, act.run = records, self.runs
                act.line, act.step, act.loops = at
                self.acts.append(act)

    def calls(self, code: CodeType) -> None:
        """Hear that a function of the program is called: it may be a hook."""
        for act in self._hooks.get(code, ()):
            act.on = True

    def begins(self, number: int, roots: Iterable[Any]) -> None:
        """Hear that the engine begins its run with this number, watched or not; note the first bad loss."""
        self.runs = number + 1
        self.on_run()
        if self._times is None or not (at := self.at()):
            return
        self._times[at[0]] = self._times.get(at[0], 0) + 1
        with aside():
            values = [value_of(one, 1) for one in roots if t.is_tensor(one)]
        while len(values) == 1 and type(values[0]) is list:
            values = values[0]
        if values[:1] in (["nan"], ["inf"], ["-inf"]):
            self.acts.append(Act("bad", *at[:2], number, at[2], self._times[at[0]], str(values[0])))
            self._times = None

    def steps(self, optimizer: Optimizer, has_closure: bool = False) -> None:
        """Hear that an optimizer is about to step."""
        if len(self.acts) < MOST and (at := self.at()):
            act = Act("step", *at[:2], self.runs, at[2], self._number(optimizer), class_name(type(optimizer)))
            held = held_by(optimizer)
            act.places, act.on = self.places(held), is_still(optimizer)
            act.grads = tuple("later" if has_closure else gradient_kind(one) for one in held)
            self.acts.append(act)

    def stepped(self, optimizer: Optimizer) -> None:
        """Hear that an optimizer has stepped, also where nobody watches."""
        if act := self.made.get(self._number(optimizer)):
            act.steps += 1
            if not act.steps & (act.steps - 1):
                held = held_by(optimizer)
                pairs = zip(self.places(held), held, strict=True)
                fresh = (pair for pair in pairs if pair[0] not in act.updated)
                act.updated += tuple(place for place, one in fresh if gradient_kind(one) in USED)
        self.on_step()

    def steps_taken(self) -> int:
        """Return how often optimizers have stepped, also where nobody watched."""
        return sum(act.steps for act in self.made.values())

    def awaits_step(self) -> bool:
        """Tell whether there's an optimizer, and none has stepped."""
        return bool(self.made) and not self.steps_taken()

    def returns(self, states: Mapping[str, TensorState]) -> None:
        """Hear what a line of the program returned."""
        if any(has_nan(state) for state in states.values()) and (at := self.at()):
            self.acts.append(Act("nan", *at[:2], self.runs, at[2]))

    def uses(self, line: int, by: str, start: str, end: str) -> None:
        """Note that a value which a line took out of tensor `start` was used to compute tensor `end`."""
        if len(self.acts) < MOST:
            self.acts.append(Act("number", line, self.graph.now, self.runs, name=by, places=(start, end)))

    def look(self) -> None:
        """Note which leaves the optimizers hold now; call it within `aside`."""
        for one in self.optimizers:
            if (optimizer := one()) is not None and (act := self.made.get(self._number(optimizer))):
                act.places = self.places(held_by(optimizer)) or act.places

    def number(self, act: Act, thing: Any) -> Act:
        """Say which optimizer or module an act was about."""
        act.of, act.name = self._number(thing), class_name(type(thing))
        return act

    def makes(self, act: Act, optimizer: Optimizer) -> Act | None:
        """Note that an optimizer is created; None if this call only adds another group."""
        self.number(act, optimizer)
        if known := self.made.get(act.of):
            known.places += act.places
            return None
        self.made[act.of] = act
        self.on_make()
        self.optimizers.append(ref(optimizer))
        return act

    def hooks(self, hook: Any, act: Act) -> Act | None:
        """Note that a hook is registered; None if we couldn't tell whether it's called."""
        function = hook.__func__ if type(hook) is MethodType else hook
        act.name = callable_name(function)
        if type(function) is FunctionType:
            self._hooks.setdefault(function.__code__, []).append(act)
        return act if act.places or type(function) is FunctionType else None

    def places(self, leaves: Iterable[Any]) -> tuple[str, ...]:
        """Return the places of tensors in the graph."""
        return tuple(self.graph.place(one, follow=False) for one in leaves if t.is_tensor(one))

    def _number(self, thing: Any) -> int:
        reference, number = self._numbers.get(id(thing), (None, -1))
        if reference is None or reference() is not thing:
            number = next(self._next)  # an id comes back when something is gone
            self._numbers[id(thing)] = ref(thing), number
        return number


def _optimizer(training: Training, given: dict[str, Any], frame: FrameType) -> Act | None:
    group = given.get("param_group")
    held: Any = dict.get(group, "params") if type(group) is dict else None
    places = training.places(held) if type(held) in (list, tuple) else ()
    return training.makes(Act("optimizer", 0, 0, places=places), given["self"])


def _hook(training: Training, given: dict[str, Any], frame: FrameType) -> Act | None:
    return training.hooks(given.get("hook"), Act("hook", 0, 0, places=training.places([given["self"]])))


def _zero(training: Training, given: dict[str, Any], frame: FrameType) -> Act | None:
    one = given["self"]
    training.look()
    emptied = held_by(one) if issubclass(type(one), Optimizer) else parameters(one)
    act = Act("zero", 0, 0, places=training.places(emptied), grads=with_gradient(emptied))
    act.steps = training.steps_taken()
    return training.number(act, one)


def _mode(training: Training, given: dict[str, Any], frame: FrameType) -> Act | None:
    if frame.f_back and frame.f_back.f_code is frame.f_code:  # a part of the module
        return None
    one, is_on = given["self"], bool(given.get("mode", True))
    act = Act("mode", 0, 0, on=is_on, steps=training.steps_taken())
    act.places = training.places(parameters(one))
    act.same = all(own.get("training") is is_on for own in modules(one).values())
    return training.number(act, one)


def _layer(training: Training, given: dict[str, Any], frame: FrameType) -> Act | None:
    is_alike = given.get("running_mean", 0) is None or given.get("p") == 0 or given.get("momentum", 1) == 0
    if is_alike or private.in_custom_forward():  # in both modes; a checkpoint, which runs it once more
        return None
    caller = frame.f_back and frame.f_back.f_globals.get("__name__", "")
    if frame.f_code.co_name == "batch_norm" and caller != torch.nn.modules.batchnorm.__name__:
        return None  # the program itself says which statistics it uses
    act = Act("layer", 0, 0, name=frame.f_code.co_name, on=bool(given.get("training")))
    act.places = training.places([given.get("weight")])  # of batch normalization
    return act


def _recurrent(training: Training, given: dict[str, Any], frame: FrameType) -> Act | None:
    one = own_dict(given["self"]) or {}
    if not one.get("dropout") or one.get("num_layers", 1) < 2:  # it's between the layers
        return None
    return Act("layer", 0, 0, name="dropout", on=one.get("training") is True)


def _clip(training: Training, given: dict[str, Any], frame: FrameType) -> Act | None:
    if given.get("max_norm") == inf:  # measures them only
        return None
    held: Any = given.get("parameters")
    if type(held) is GeneratorType and held.gi_code is PARAMETERS and held.gi_frame:
        held = parameters(held.gi_frame.f_locals["self"])  # it hasn't started, so nothing is consumed
    is_empty, name = is_used_up(held), frame.f_code.co_name
    held = [held] if t.is_tensor(held) else held if type(held) in (list, tuple) else []
    grads = tuple(map(gradient_kind, filter(t.is_tensor, held)))
    return Act("clip", 0, 0, name=name, places=training.places(held), grads=grads, on=is_empty)


def _scaler(training: Training, given: dict[str, Any], frame: FrameType) -> Act | None:
    own, held = own_dict(given["self"]) or {}, held_by(given["optimizer"]) if "optimizer" in given else []
    act = Act(frame.f_code.co_name.rstrip("_"), 0, 0, places=training.places(held), grads=with_gradient(held))
    act.name = str(value_of(own.get("_scale"), 1))
    return act if own.get("_enabled") else None


def _loss(training: Training, given: dict[str, Any], frame: FrameType) -> Act | None:
    pair = given.get("input"), given.get("target")
    if not all(map(t.is_tensor, pair)):
        return None
    shapes = tuple(map(t.sizes, pair))
    return Act("loss", 0, 0, name=frame.f_code.co_name, places=training.places(pair), shapes=shapes)


def _checkpoint(training: Training, given: dict[str, Any], frame: FrameType) -> Act | None:
    work, inputs = given.get("function"), given.get("args", ())
    is_linked = any(t.is_tensor(one) and t.requires_grad(one) for one in inputs)
    held = [] if is_linked or given.get("use_reentrant") is False else parameters_used(work)
    return Act("checkpoint", 0, 0, places=training.places(held)) if held else None


def _sample(training: Training, given: dict[str, Any], frame: FrameType) -> Act | None:
    one = given["self"]
    held = [part for part in (own_dict(one) or {}).values() if t.is_tensor(part) and t.requires_grad(part)]
    could_pass_on = getattr(type(one), "has_rsample", False) is True and held
    return Act("sample", 0, 0, places=training.places(held)) if could_pass_on else None


def _heard() -> dict[int, Asked]:
    """Return what to do when a function is called, by the id of its code."""
    found: dict[Any, Asked] = {
        Optimizer.add_param_group: _optimizer,
        Optimizer.zero_grad: _zero,
        torch.nn.Module.zero_grad: _zero,
        torch.nn.Module.train: _mode,
        clip_grad.clip_grad_norm_: _clip,
        clip_grad.clip_grad_value_: _clip,
        torch.amp.GradScaler.scale: _scaler,
        torch.amp.GradScaler.unscale_: _scaler,
        checkpoint: _checkpoint,
        Distribution.sample: _sample,
        Normal.sample: _sample,
    }
    found |= {getattr(functional, name): _loss for name in (*LOSSES, "kl_div")}
    found |= {getattr(functional, name): _layer for name in (*DROPOUTS, "batch_norm")}
    found |= {one.forward: _recurrent for one in (torch.nn.RNN, torch.nn.LSTM, torch.nn.GRU)}
    for owner, names in HOOKS.items():
        found |= {getattr(owner, name): _hook for name in names if hasattr(owner, name)}
    codes = ((getattr(unwrap(function), "__code__", None), asked) for function, asked in found.items())
    return {id(code): asked for code, asked in codes if code}


HEARD = _heard()
