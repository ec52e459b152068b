"""Tensors and numbers as a picture shows them, short texts; and the names that lead to tensors."""

import math
from collections.abc import Iterator

from torch import Tensor, ones_like

from weaver.graph.worker import tensors as t
from weaver.graph.worker.objects import own_dict
from weaver.graph.worker.torch_private import no_torch_function

KEYS = (str, int, float, bool, tuple, type(None))  # of a dictionary, that are written as they are
SHORT, WIDE = 4, 24  # elements and characters of the longest tensor that is written in full


def number(value) -> str:
    """Return a number as a person would write it: five significant digits, no more than it has."""
    if isinstance(value, complex):
        return f"{value.real:.5g}{value.imag:+.5g}j"
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def text(tensor: Tensor | None) -> str | None:
    """Return a short tensor's values, a longer one's shape such as `(8, 3)`; None for None."""
    if not t.is_tensor(tensor):
        return None
    with no_torch_function():
        try:
            if t.numel(tensor) <= SHORT:
                listed = _listed(t.tolist(t.resolve_neg(t.resolve_conj(t.detach(tensor)))))
                if len(listed) <= WIDE:
                    return listed
        except (RuntimeError, NotImplementedError, TypeError):
            pass  # it has no values that could be read
        return str(tuple(t.shape(tensor)))


def _listed(values):
    return f"[{', '.join(map(_listed, values))}]" if isinstance(values, list) else number(values)


def local_derivatives(node, received) -> list[str | None]:
    """Return the derivative for each input, None if it is no scalar, by the node's own VJP."""
    if len(received) != 1 or received[0] is None or t.numel(received[0]) != 1:
        return []
    try:
        passed = node(ones_like(received[0]))
    except Exception:  # the engine is about to meet the same, and to say it
        return []
    passed = passed if type(passed) is tuple else (passed,)
    return [text(grad) if grad is not None and t.numel(grad) == 1 else None for grad in passed]


def ratio(passed, received) -> str | None:
    """Return what a custom Function multiplied by, where both gradients are scalars."""
    if passed is None or len(received) != 1 or received[0] is None:
        return None
    both = passed, received[0]
    if any(t.numel(one) != 1 or t.is_complex(one) for one in both):
        return None
    up, down = map(t.item, both)
    quotient = up / down if down else math.nan
    return number(quotient) if math.isfinite(quotient) else None


def members(namespace: dict) -> Iterator[tuple[str, Tensor]]:
    """Yield the tensors in a program's variables, and in its modules, lists and dictionaries, with paths."""
    for name, value in list(namespace.items()):
        if name.startswith("__"):
            continue
        found, kind = {name: value}, type(value)
        if issubclass(kind, t.Module):
            found = {f"{name}.{path}": tensor for path, tensor in _parameters(value)}
        elif issubclass(kind, list | tuple):
            every = list.__iter__(value) if issubclass(kind, list) else tuple.__iter__(value)
            found = {f"{name}[{i}]": one for i, one in enumerate(every)}
        elif issubclass(kind, dict):
            found = {f"{name}[{key!r}]": one for key, one in dict.items(value) if type(key) in KEYS}
        yield from ((path, one) for path, one in found.items() if t.is_tensor(one))


def _parameters(module, prefix="", seen=None):
    """Yield the parameters of a module and of those in it, each once, as `named_parameters` does."""
    seen, parts = set() if seen is None else seen, own_dict(module) or {}
    for name, one in (dict.get(parts, "_parameters") or {}).items():
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            yield prefix + name, one
    for name, one in (dict.get(parts, "_modules") or {}).items():
        if one is not None:
            yield from _parameters(one, f"{prefix}{name}.", seen)
