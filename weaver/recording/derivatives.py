"""What a node multiplied a gradient by, where that's a number."""

from collections.abc import Sequence

from torch import Tensor, ones_like

from weaver.recording import tensors as t
from weaver.recording.facts import plain, value_of
from weaver.recording.model import Value
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401

Grads = Sequence[Tensor | None]


def derivatives(node: t.GraphNode, received: Grads) -> list[Value] | None:
    """Return the derivatives for the inputs, computed by the node; None for one that isn't a scalar."""
    if len(received) != 1 or received[0] is None or t.numel(received[0]) != 1:
        return None
    try:
        passed = node(ones_like(received[0]))
    except Exception:  # the engine is about to meet the same, and to say it
        return None
    passed = passed if type(passed) is tuple else (passed,)
    return [value_of(one, 1) if one is not None and t.numel(one) == 1 else None for one in passed]


def ratios(passed: Grads, received: Grads) -> list[Value] | None:
    """Return what a custom Function multiplied by; None where that isn't a scalar or can't be known."""
    first = _number(received[0]) if len(received) == 1 else None
    if not first:
        return None
    numbers = map(_number, passed)
    found: list[Value] = [one if one is None else plain(one / first, single=True) for one in numbers]
    return found or None


def _number(gradient: Tensor | None) -> float | None:
    """Return the number that a gradient is; None if it is not one, finite and real, or cannot be read."""
    value = value_of(gradient, 1)
    while type(value) is list and value:
        (value,) = value
    return value if isinstance(value, float | int) else None
