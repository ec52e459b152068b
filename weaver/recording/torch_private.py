"""Every use that `weaver` makes of what torch keeps to itself: read this when torch's version is raised.

Each function says what it relies on; `tests/recording/test_torch_private.py` asks torch whether it still
holds. What this version of torch lacks is told by `missing` once it was needed, and is then left out.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from importlib import import_module
from itertools import count
from sys import _getframe
from types import CodeType, FrameType, FunctionType
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode
from torch.utils._pytree import tree_leaves
from torch.utils.hooks import RemovableHandle

from weaver.recording import tensors as t
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import Function, class_member

__all__ = ["StorageWeakRef", "TorchDispatchMode"]  # the latter sees each operation as ATen runs it

SAVED = re.compile(r"_saved_(?!\w*_sym_)|saved_tensors$")
VERSIONS = re.compile(r"is at version (\d+); expected version (\d+)")
HIDDEN_IDS = -(10**12)  # of our hooks' handles, from here on: the program's own are numbered as without us
_hidden_ids = count(HIDDEN_IDS, 2)  # a pass within another may hang on the same nodes

Hooks = dict[int, Callable]  # by the keys of their handles
missing: dict[str, None] = {}  # what was asked for and isn't there, in order


def _find(path: str) -> Any:
    """Return what torch has at `_C._autograd.SavedTensor`, None if nothing."""
    found = torch
    for name in path.split("."):
        found = getattr(found, name, None)
    return found


def _taken(path: str, instead: Any = None) -> Callable:
    """Return torch's function at a path; if there's none, one that notes so and returns `instead()`."""

    def absent(*args: Any) -> Any:
        missing[f"torch.{path}"] = None
        return instead() if instead else None

    return _find(path) or absent


def _read(name: str) -> Callable:
    """Return what reads an attribute of a tensor, None where torch has no such attribute."""
    found = getattr(t.Base, name, None)
    return found.__get__ if found is not None else _taken(f"Tensor.{name}")


no_dispatch = _taken("_C._DisableTorchDispatch", nullcontext)
no_torch_function = _taken("_C.DisableTorchFunction", nullcontext)
set_grad_enabled = _find("_C._set_grad_enabled") or torch.set_grad_enabled
is_grad_enabled, is_inference_mode_enabled = torch.is_grad_enabled, torch.is_inference_mode_enabled
_autograd, _function = torch.autograd, torch.autograd.Function
_zerotensor = _taken("Tensor._is_zerotensor")
# The last two: the program's hooks that wait for a tensor's gradient, and those that hear of a leaf's sum
_version, hooks, later_hooks = (
    _read(name) for name in ("_version", "_backward_hooks", "_post_accumulate_grad_hooks")
)
_get_mode = _taken("_C._get_dispatch_mode")
_keys = [_find(f"_C._TorchDispatchModeKey.{name}") for name in ("FAKE", "FUNCTIONAL", "PROXY")]
_top_hooks = _find("_C._autograd._top_saved_tensors_default_hooks")
_tells_hooks = _find("_C._autograd.SavedTensor.unpack_hook") is not None
current_pass = _taken("_C._current_graph_task_id")  # the engine's number of its run in this thread, else -1
next_sequence_number = _taken("_C._autograd._get_sequence_nr")  # of the next node that this thread makes
_subclasses = type.__dict__["__subclasses__"]


def tensors(tree: Any) -> list[torch.Tensor]:
    """Return the tensors in any nesting of lists, tuples and dictionaries, in order."""
    return [leaf for leaf in tree_leaves(tree) if t.is_tensor(leaf)]


def sequence_number(node: t.GraphNode) -> int:
    """Return the number of a node of the graph: counted up as nodes are made, so no two share it."""
    return t.of_node(node, "_sequence_nr")()


def saved_attributes(node: t.GraphNode) -> list[str]:
    """Return the attributes in which a node holds what it saved: `_saved_self`, `saved_tensors`, ..."""
    if t.is_custom(node):
        return ["saved_tensors"]
    return [attribute for attribute in dir(type(node)) if SAVED.match(attribute)]


def saved_name(attribute: str) -> str:
    """Return what an attribute of `saved_attributes` calls the thing that was saved: `self`, `result`."""
    return attribute.removeprefix("_saved_")


def is_workspace(node: t.GraphNode, attribute: str) -> bool:
    """Tell whether a node saved memory that a library works in: its bytes are different in every run."""
    return attribute == "_saved_result3" and "Rnn" in t.node_name(node)


def unpack(node: t.GraphNode, attribute: str) -> tuple[Any, str | None]:
    """Return what the node saved under `attribute` and None, or None and why it cannot be had."""
    try:
        return t.of_node(node, attribute), None
    except (RuntimeError, AttributeError) as error:
        return None, str(error)


def is_packed(node: t.GraphNode, attribute: str) -> bool:
    """Tell whether a hook of the program holds what the node saved: to unpack it would run that."""
    if not _tells_hooks:
        return has_saved_tensor_hooks()
    raw, _ = unpack(node, f"_raw{'' if attribute[0] == '_' else '_'}{attribute}")
    several = raw if type(raw) in (list, tuple) else [raw]
    return any(getattr(one, "unpack_hook", None) is not None for one in several)


def saved_nothing(node: t.GraphNode) -> bool:
    """Tell whether a custom Function saved nothing, without unpacking what it may have saved."""
    return t.is_custom(node) and unpack(node, "_raw_saved_tensors") == ((), None)


def is_freed(problem: str | None) -> bool:
    """Tell whether torch says that a saved tensor was freed."""
    return "freed" in (problem or "")


def versions(problem: str | None) -> tuple[int, int] | None:
    """Return the version that was saved and the one that torch found, None if they don't differ."""
    found = VERSIONS.search(problem or "")
    return (int(found[2]), int(found[1])) if found else None


def has_saved_tensor_hooks() -> bool:
    """Tell whether the program has set hooks for saved tensors: to unpack one would run its code.

    Where torch doesn't tell, whether it ever has.
    """
    return _top_hooks(True) is not None if _top_hooks else _listener.has_heard


class _HookListener:
    """Hears hooks for saved tensors being set, in a torch that doesn't tell."""

    has_heard = False

    def stand_before(self, owner: Any, name: str) -> None:
        """Hear each call of a function, and note that what it does can't be asked of torch."""
        plain: Any = getattr(owner, name, None)

        def heard(*args: Any) -> Any:
            self.has_heard = True
            missing["torch._C._autograd._top_saved_tensors_default_hooks"] = None
            return plain(*args)

        if plain is not None:
            setattr(owner, name, heard)


_listener = _HookListener()
if not (_top_hooks and _tells_hooks):
    _listener.stand_before(_find("_C._autograd"), "_push_saved_tensors_default_hooks")
    _listener.stand_before(_find("_C._autograd.SavedTensor"), "register_hooks")


def is_compiling() -> bool:
    """Tell whether `torch.compile` is at work, which calls the engine on tensors that have no values."""
    return any(_get_mode(key) is not None for key in _keys if key is not None)


def not_compiled(function: Function) -> Function:
    """Keep `torch.compile`, which looks at every frame, from a function of ours and all that it calls."""
    try:
        frames = import_module("torch._C._dynamo.eval_frame")
    except ImportError:
        return function
    if hasattr(frames, "set_code_exec_strategy"):
        skip = frames._FrameAction.SKIP
        frames.set_code_exec_strategy(function.__code__, frames._FrameExecStrategy(skip, skip))
    elif hasattr(frames, "skip_code"):  # before torch 2.7
        frames.skip_code(function.__code__)
    return function


def is_innermost(mode: TorchDispatchMode) -> bool:
    """Tell whether a mode is the last one that was entered, so that it may be left for a while."""
    return _get_current_dispatch_mode() is mode


def version(tensor: torch.Tensor) -> int | None:
    """Return how often a tensor was written to in place; an inference tensor does not count."""
    return None if t.is_inference(tensor) else _version(tensor)


def storage_address(storage: torch.UntypedStorage) -> int:
    """Return where a storage is, while it lives; another has it only afterwards."""
    return storage._cdata


def module_members(attributes: dict[str, Any]) -> dict[Any, Any]:
    """Return the parameters, buffers and modules among the attributes of a module, by their names."""
    groups: list[Any] = [dict.get(attributes, group) for group in ("_parameters", "_buffers", "_modules")]
    return {name: one for group in groups if issubclass(type(group), dict) for name, one in dict.items(group)}


def has_no_memory(tensor: torch.Tensor) -> bool:
    """Tell whether these are autograd's zeros without memory, which what is called below it would read."""
    return _zerotensor(tensor)


def watch_node(node: t.GraphNode, before: Callable, after: Callable) -> list[RemovableHandle]:
    """Have functions called before and after a node; their handles take no number of the program's."""
    following, RemovableHandle.next_id = RemovableHandle.next_id, next(_hidden_ids)
    try:
        first = t.of_node(node, "register_prehook")(before)
        RemovableHandle.next_id += 1
        return [first, t.of_node(node, "register_hook")(after)]
    finally:
        RemovableHandle.next_id = following


def is_in_backward() -> bool:
    """Tell whether the engine is running in this thread."""
    return current_pass() not in (None, -1)


def in_custom_forward() -> bool:
    """Tell whether a `forward` that a custom Function gave to torch is running."""
    frame: FrameType | None = _getframe(1)
    codes: set[CodeType | None] | None = None
    while frame is not None:
        if frame.f_code.co_name == "forward" and codes is None:
            codes = set(map(_forward, _below(_function)))
        if codes and frame.f_code in codes:
            return True
        frame = frame.f_back
    return False


def _below(kind: type) -> Iterator[type]:
    """Yield all subclasses of a class."""
    for one in _subclasses(kind):
        yield one
        yield from _below(one)


def _forward(kind: type) -> CodeType | None:
    """Return the code of a Function's own `forward`."""
    found = class_member(kind, "forward")
    found = found.__func__ if type(found) is staticmethod else found
    return found.__code__ if type(found) is FunctionType else None


class EngineDoor:
    """The door that Python code of torch goes through to the engine.

    From `open` to `close`, `backward` takes the place of `torch.autograd._engine_run_backward`: `engine`.
    """

    engine: Any = None

    def open(self, backward: Callable) -> None:
        """Put ours in its place."""
        self.engine = getattr(_autograd, "_engine_run_backward", None)
        if self.engine is None:
            missing["torch.autograd._engine_run_backward"] = None
        else:
            _autograd._engine_run_backward = backward

    def close(self) -> None:
        """Put torch's own back."""
        if self.engine is not None:
            _autograd._engine_run_backward = self.engine


class ForwardDoor:
    """The door to a custom forward: from `open` to `close`, `apply` takes the place of `Function.apply`."""

    def open(self, apply: Callable) -> None:
        """Put ours in its place."""
        self._is_own = "apply" in vars(_function)  # of a class that it inherits from otherwise
        self._apply: Any = class_member(_function, "apply")
        _function.apply = classmethod(apply)

    def forward(self, function: type, *args: Any, **kwargs: Any) -> Any:
        """Call the real `apply` of a custom Function."""
        return self._apply.__get__(None, function)(*args, **kwargs)

    def close(self) -> None:
        """Put torch's own back."""
        if self._is_own:
            _function.apply = self._apply
        else:
            del _function.apply
