"""Tensors and numbers as a picture shows them, short texts; and the names that lead to tensors."""

import math
from collections.abc import Iterator

import torch

SHORT, WIDE = 4, 24  # elements and characters of the longest tensor that is written in full


def number(value) -> str:
    """Return a number as a person would write it: five significant digits, no more than it has."""
    if isinstance(value, complex):
        return f"{value.real:.5g}{value.imag:+.5g}j"
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def text(tensor: torch.Tensor | None) -> str | None:
    """Return a short tensor's values, a longer one's shape such as `(8, 3)`; None for None."""
    if tensor is None:
        return None
    try:
        if tensor.numel() <= SHORT:
            listed = _listed(tensor.detach().resolve_conj().resolve_neg().tolist())
            if len(listed) <= WIDE:
                return listed
    except (RuntimeError, NotImplementedError):
        pass  # it has no values that could be read
    return str(tuple(tensor.shape))


def _listed(values):
    return f"[{', '.join(map(_listed, values))}]" if isinstance(values, list) else number(values)


def local_derivatives(node, received) -> list[str | None]:
    """Return the derivative for each input, None if it is no scalar, by the node's own VJP."""
    if len(received) != 1 or received[0] is None or received[0].numel() != 1:
        return []
    try:
        passed = node(torch.ones_like(received[0]))
    except Exception:  # the engine is about to meet the same, and to say it
        return []
    passed = passed if isinstance(passed, tuple) else (passed,)
    return [text(grad) if grad is not None and grad.numel() == 1 else None for grad in passed]


def ratio(passed, received) -> str | None:
    """Return what a custom Function multiplied by, where both gradients are scalars."""
    if passed is None or len(received) != 1 or received[0] is None:
        return None
    if passed.numel() != 1 or received[0].numel() != 1 or passed.is_complex() or received[0].is_complex():
        return None
    quotient = passed.item() / received[0].item() if received[0].item() else math.nan
    return number(quotient) if math.isfinite(quotient) else None


def members(namespace: dict) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield the tensors in a program's variables, and in its modules, lists and dictionaries, with paths."""
    for name, value in list(namespace.items()):
        if name.startswith("__"):
            continue
        found = {name: value}
        if isinstance(value, torch.nn.Module):
            found = {f"{name}.{path}": tensor for path, tensor in value.named_parameters()}
        elif isinstance(value, list | tuple):
            found = {f"{name}[{i}]": one for i, one in enumerate(value)}
        elif isinstance(value, dict):
            found = {f"{name}[{key!r}]": one for key, one in value.items()}
        yield from ((path, one) for path, one in found.items() if isinstance(one, torch.Tensor))
