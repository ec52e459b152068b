"""The program's hooks, heard while the engine runs them, and frames that no warning counts."""

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

from torch.optim import optimizer as optim
from torch.utils.hooks import RemovableHandle

from weaver.recording import tensors as t
from weaver.recording import torch_private as private
from weaver.recording.model import Value
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import Function, callable_module, callable_name

if TYPE_CHECKING:
    from weaver.recording.engine import EngineRun

UNCOUNTED = " (importlib._bootstrap)"


def uncounted(function: Function) -> Function:
    """Keep a function's frame from being counted by `warnings.warn(..., stacklevel=...)`: return it so.

    A warning that looks up the stack for the program's line finds it as if nobody watched. CPython passes
    over the frames of the import system, which it knows by two words in the name of their file.
    """
    code = function.__code__
    function.__code__ = code.replace(co_filename=f"{code.co_filename}{UNCOUNTED}")
    return function


def drop_uncounted(trace: TracebackType | None) -> None:
    """Take the frames of such functions out of a traceback, which the program may print."""
    while trace is not None:
        while trace.tb_next and trace.tb_next.tb_frame.f_code.co_filename.endswith(UNCOUNTED):
            trace.tb_next = trace.tb_next.tb_next
        trace = trace.tb_next


def around_steps(before: Callable[..., None], after: Callable[..., None]) -> Callable[[], None]:
    """Have every optimizer call a function before its step and another after it; return what ends that.

    The handles take no numbers of the program's.
    """
    if not hasattr(optim, "register_optimizer_step_post_hook"):  # before torch 2.0
        return lambda: None
    following, RemovableHandle.next_id = RemovableHandle.next_id, private.HIDDEN_IDS
    try:
        first = optim.register_optimizer_step_pre_hook(before)
        RemovableHandle.next_id += 1
        last = optim.register_optimizer_step_post_hook(after)
    finally:
        RemovableHandle.next_id = following

    def remove() -> None:
        first.remove()
        last.remove()

    return remove


class Heard:
    """A hook of the program, whose call is noted."""

    def __init__(self, hook: Callable[..., Any], run: "EngineRun", place: str, kind: str):
        self.hook, self.run, self.place, self.kind = hook, run, place, kind
        self.received: list[Value] = []
        self.of = "module" if callable_module(hook) == "torch.utils.hooks" else kind

    def __getattr__(self, name: str) -> Any:
        return getattr(self.hook, name)

    @uncounted
    def __call__(self, *arguments: Any) -> Any:
        self.run.noting(self._receive, arguments)
        result = self.hook(*arguments)
        self.run.noting(self._note, result)
        return result

    def _receive(self, arguments: tuple[Any, ...]) -> None:
        first = arguments[0]
        if type(first) is tuple:
            given = arguments[-1] if self.kind == "node after" else first
        else:
            given = [t.grad(first) if self.kind == "post-accumulate" else first]
        self.received = self.run.engine.values(given)

    def _note(self, result: Any) -> None:
        passed = None if result is None else result if type(result) is tuple else [result]
        told = passed and self.run.engine.values(passed)
        name = callable_name(self.hook)
        self.run.note("hook", node=self.place, of=self.of, name=name, received=self.received, passed=told)


def restore(hooks: private.Hooks, key: int, heard: Heard, hook: Callable[..., Any]) -> None:
    """Put a hook back where it was, unless the program has put another there."""
    if hooks.get(key) is heard:
        hooks[key] = hook
