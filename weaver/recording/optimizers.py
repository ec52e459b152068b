"""What an optimizer holds, and whether it moves anything."""

from collections.abc import Iterable
from typing import Any

import torch
from torch.optim import Optimizer

from weaver.recording import tensors as t
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import own_dict


def held_by(optimizer: Optimizer) -> list[torch.Tensor]:
    """Return the tensors in the groups of an optimizer."""
    groups = (own_dict(optimizer) or {}).get("param_groups", ())
    return [one for group in groups for one in group["params"]]


def is_still(optimizer: Optimizer) -> bool:
    """Tell whether the learning rate of all groups of an optimizer is 0."""
    rates = [group.get("lr") for group in (own_dict(optimizer) or {}).get("param_groups", ())]
    # A number of numpy's is a float as well
    return bool(rates) and all(issubclass(type(one), int | float) and not one for one in rates)


def with_gradient(leaves: Iterable[Any]) -> tuple[str, ...]:
    """Return `some` for each leaf that has a gradient, whatever it is, and `none` for each other."""
    return tuple("none" if t.grad(one) is None else "some" for one in leaves if t.is_tensor(one))
