"""Every use that the engine makes of what torch keeps to itself: read this when torch's version is raised.

Each function says what it relies on; `tests/graph/test_torch_private.py` asks torch whether it still holds.
"""

import re
from collections.abc import Callable
from typing import Any

import torch
from torch._C._dynamo import eval_frame
from torch.autograd.function import BackwardCFunction
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

__all__ = ["TorchDispatchMode"]  # a mode below autograd, which sees each operation as ATen runs it

SAVED = re.compile(r"_saved_(?!\w*_sym_)|saved_tensors$")


def tensors(tree: Any) -> list[torch.Tensor]:
    """Return the tensors in any nesting of lists, tuples and dictionaries, in order."""
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def sequence_number(node: Any) -> int:
    """Return the number of a node of the graph: counted up as nodes are made, so no two share it."""
    return node._sequence_nr()


def is_custom(node: Any) -> bool:
    """Tell whether a node belongs to a `torch.autograd.Function` of the program."""
    return isinstance(node, BackwardCFunction)


def saved_attributes(node: Any) -> list[str]:
    """Return the attributes in which a node holds what it saved: `_saved_self`, `saved_tensors`, ..."""
    return [attribute for attribute in dir(node) if SAVED.match(attribute)]


def saved_name(attribute: str) -> str:
    """Return what an attribute of `saved_attributes` calls the thing that was saved: `self`, `result`."""
    return attribute.removeprefix("_saved_")


def holds_a_tensor(node: Any, attribute: str) -> bool:
    """Tell whether what is saved under `attribute` is a tensor, also where it cannot be unpacked any more."""
    return attribute.replace("_saved_", "_raw_saved_") in dir(node)


def unpack(node: Any, attribute: str) -> tuple[Any, str | None]:
    """Return what the node saved under `attribute` and None, or None and why it cannot be had."""
    try:
        return getattr(node, attribute), None
    except (RuntimeError, AttributeError) as error:
        return None, str(error)


def saved_nothing(node: Any) -> bool:
    """Tell whether a custom Function saved nothing, without unpacking what it may have saved."""
    return is_custom(node) and unpack(node, "_raw_saved_tensors") == ((), None)


def unpack_again(node: Any, name: str) -> str | None:
    """Return why what the node saved as `name` cannot be unpacked now, None if it can."""
    attribute = "saved_tensors" if is_custom(node) else f"_saved_{name.split('[')[0]}"
    return unpack(node, attribute)[1]


def is_freed(problem: str | None) -> bool:
    """Tell whether torch says that a saved tensor was freed."""
    return "freed" in (problem or "")


def version_met(problem: str | None) -> int | None:
    """Return the version at which torch found a saved tensor that was changed, None if it was not."""
    found = re.search(r"is at version (\d+)", problem or "")
    return int(found[1]) if found else None


def has_saved_tensor_hooks() -> bool:
    """Tell whether the program has set hooks for saved tensors: to unpack one would run its code."""
    return torch._C._autograd._top_saved_tensors_default_hooks(True) is not None


def is_compiling() -> bool:
    """Tell whether `torch.compile` is at work, which calls the engine on tensors that have no values."""
    key = torch._C._TorchDispatchModeKey
    modes = (key.FAKE, key.FUNCTIONAL, key.PROXY)
    return any(torch._C._get_dispatch_mode(mode) is not None for mode in modes)


def not_compiled(function: Callable) -> Callable:
    """Keep `torch.compile`, which looks at every frame, from a function of ours and all that it calls."""
    skip = eval_frame._FrameAction.SKIP
    eval_frame.set_code_exec_strategy(function.__code__, eval_frame._FrameExecStrategy(skip, skip))
    return function


def version(tensor: torch.Tensor) -> int | None:
    """Return how often a tensor was written to in place; an inference tensor does not count."""
    return None if tensor.is_inference() else tensor._version


def storage(tensor: torch.Tensor) -> int:
    """Return a number that two tensors share if they lie in one storage."""
    return tensor.untyped_storage()._cdata


def has_no_memory(tensor: torch.Tensor) -> bool:
    """Tell whether these are autograd's zeros without memory, which what is called below it would read."""
    return tensor._is_zerotensor()


def hooks(tensor: torch.Tensor) -> int:
    """Return how many hooks of the program wait for the tensor's gradient."""
    return len(tensor._backward_hooks or ())


class Doors:
    """The two doors that Python code of torch goes through: to the engine, and to a custom forward.

    `backward` and `apply` take the place of `torch.autograd._engine_run_backward` and of
    `torch.autograd.Function.apply` between `open` and `close`; `engine` and `forward` are the real ones.
    """

    def open(self, backward: Callable, apply: Callable) -> None:
        """Put ours in their place."""
        self.engine = torch.autograd._engine_run_backward
        torch.autograd._engine_run_backward = backward
        self._apply = torch.autograd.Function.__dict__["apply"]
        torch.autograd.Function.apply = classmethod(apply)

    def forward(self, function: type, *args: Any, **kwargs: Any) -> Any:
        """Call the real `apply` of a custom Function."""
        return self._apply.__get__(None, function)(*args, **kwargs)

    def close(self) -> None:
        """Put torch's own back."""
        torch.autograd._engine_run_backward = self.engine
        torch.autograd.Function.apply = self._apply
