"""Reads tensors without a trace: no node, no version, no random number, no reference that stays."""

import math
import weakref
from contextlib import contextmanager
from ctypes import c_float
from itertools import count
from time import thread_time

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from weaver.graph.worker.torch_private import has_no_memory
from weaver.trace.model import Facts, Range, Value

UNREADABLE = "unreadable"  # a view whose history is lost: torch tells neither its node nor its version
OFTEN = 1 << 16  # elements of the largest tensor that is read at every step; of a larger one a write that
# raises no version, through `.data` or NumPy, goes unnoticed until something else changes


spent = 0.0  # seconds of the processor that went into what was done `aside`


@contextmanager
def aside():
    """Keep what we do with tensors from autograd and from the program's modes and subclasses; clock it."""
    global spent
    began = thread_time()
    with torch._C._DisableTorchDispatch(), torch._C.DisableTorchFunction():
        enabled = torch.is_grad_enabled()
        torch._C._set_grad_enabled(False)
        try:
            yield
        finally:
            torch._C._set_grad_enabled(enabled)
            spent += thread_time() - began


def plain(value, single: bool = False) -> Value:
    """Return a number or nested list with what JSON cannot say as text: nan, infinities, complex.

    A number in `single` precision gets the fewest digits that no other such number has.
    """
    if isinstance(value, list):
        return [plain(one, single) for one in value]
    if isinstance(value, complex):
        return f"{value.real:.7g}{value.imag:+.7g}j"
    if isinstance(value, float):
        if not math.isfinite(value):
            return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
        return _short(value) if single and not value.is_integer() else value
    return value


def _short(value):
    tries = (float(f"{value:.{digits}g}") for digits in (6, 7, 8))
    return next((one for one in tries if c_float(one).value == value), float(f"{value:.9g}"))


def value_of(tensor: torch.Tensor | None, elements: int) -> Value:
    """Return the tensor's value, or its range if it has more than `elements`; None if it cannot be read."""
    if not isinstance(tensor, torch.Tensor):
        return None
    try:
        if tensor.layout != torch.strided and tensor.numel() <= elements:
            tensor = tensor.to_dense()
        if has_no_memory(tensor):
            tensor = torch.zeros(tensor.shape, dtype=tensor.dtype)
        single = tensor.dtype == torch.float32
        return plain(tensor.tolist(), single) if tensor.numel() <= elements else _range(tensor)
    except (RuntimeError, NotImplementedError, TypeError):
        return None


def _range(tensor):
    shape = tuple(tensor.shape)
    if tensor.layout != torch.strided or tensor.is_complex() or tensor.is_meta:
        return Range(shape)
    single = tensor.dtype == torch.float32
    if not tensor.is_floating_point():
        low, high = (int(one) for one in tensor.aminmax())
        return Range(shape, low, high, tensor.sum().item() / tensor.numel())
    mean = tensor.mean().item()
    if math.isfinite(mean):  # so is every element
        low, high = (plain(one.item(), single) for one in tensor.aminmax())
        return Range(shape, low, high, plain(mean, single))
    finite = tensor[tensor.isfinite()]
    nan = int(tensor.isnan().sum())
    inf = tensor.numel() - nan - finite.numel()
    low, high = (plain(one.item(), single) for one in finite.aminmax()) if finite.numel() else (None, None)
    return Range(shape, low, high, plain(mean), nan, inf)


class Storages:
    """Numbers for storages; one that died never gives its number to another."""

    def __init__(self):
        self._known = {}  # address -> (weak reference, number)
        self._count = count()

    def number(self, tensor: torch.Tensor) -> int | None:
        """Return the number of the tensor's storage, None if it has none."""
        try:
            storage = tensor.untyped_storage()
        except (RuntimeError, NotImplementedError):
            return None
        address = storage._cdata
        reference, number = self._known.get(address, (None, None))
        if reference is None or reference.expired():
            reference, number = StorageWeakRef(storage), next(self._count)
            self._known[address] = reference, number
        return number

    def forget_the_dead(self) -> None:
        """Drop what is kept of storages that are gone."""
        self._known = {key: known for key, known in self._known.items() if not known[0].expired()}


class Reader:
    """Turns tensors into facts; facts that are the same as before are the same object."""

    def __init__(self, place, elements: int, storages: "Storages"):
        self.place = place  # tensor -> its place in the graph
        self.elements, self.storages = elements, storages
        self._known = {}  # id(tensor) -> (weak reference, what it was told by, facts)
        self._hooked = {}  # place of a tensor with history -> weak reference to its hooks, which outlive it

    def facts(self, tensor: torch.Tensor) -> Facts:
        """Return the facts about a tensor; call it within `aside`."""
        reference, mark, known = self._known.get(id(tensor), (None, None, None))
        if reference is None or reference() is not tensor:
            mark = known = None
        new, value = self._mark(tensor, mark, known)
        if new == mark:
            return known
        found = self._describe(tensor, new, value)
        if found == known:
            found = known
        self._known[id(tensor)] = weakref.ref(tensor), new, found
        return found

    def _mark(self, tensor, mark, known):
        """Return what tells a change, and the value if it was read for that."""
        try:
            place = self.place(tensor)
            version = None if tensor.is_inference() else tensor._version
            storage = self.storages.number(tensor)
            state = (place, version, tensor.requires_grad, tensor.is_leaf, storage, tensor.shape)
            if tensor._backward_hooks and place[0] == "n":
                self._hooked[place] = weakref.ref(tensor._backward_hooks)
        except (RuntimeError, NotImplementedError):
            return (UNREADABLE, self.storages.number(tensor)), None
        if tensor.numel() > OFTEN:
            return state, None
        if tensor.numel() > self.elements or has_no_memory(tensor):
            value = value_of(tensor, self.elements)
            return (*state, value), value
        try:
            raw = tensor.tolist()
        except (RuntimeError, NotImplementedError, TypeError):
            return (*state, None), value_of(tensor, self.elements)
        new = (*state, raw)
        return new, (known.value if new == mark else plain(raw, tensor.dtype == torch.float32))

    def _describe(self, tensor, mark, value):
        shape, dtype = tuple(tensor.shape), str(tensor.dtype).removeprefix("torch.")
        if mark[0] == UNREADABLE:
            device, requires_grad = str(tensor.device), tensor.requires_grad
            return Facts(None, shape, dtype, device, requires_grad, version=None, storage=mark[1])
        place, version, requires_grad, is_leaf, storage = mark[:5]
        if tensor.numel() > OFTEN:
            value = value_of(tensor, self.elements)
        node = None if is_leaf else tensor.grad_fn
        grad_fn = node and node.name().split("::")[-1]
        device = str(tensor.device)
        return Facts(value, shape, dtype, device, requires_grad, is_leaf, place, grad_fn, version, storage)

    def hooks(self) -> dict[str, dict]:
        """Return the places of tensors with history that have hooks, each with them."""
        for reference, *_ in list(self._known.values()):
            if (tensor := reference()) is not None and tensor._backward_hooks and not tensor.is_leaf:
                self._hooked[self.place(tensor)] = weakref.ref(tensor._backward_hooks)
        found = {place: reference() for place, reference in self._hooked.items()}
        return {place: hooks for place, hooks in found.items() if hooks}

    def forget_the_dead(self) -> None:
        """Drop what is kept of tensors and storages that are gone."""
        self._known = {key: known for key, known in self._known.items() if known[0]() is not None}
        self._hooked = {place: hooks for place, hooks in self._hooked.items() if hooks() is not None}
        self.storages.forget_the_dead()
