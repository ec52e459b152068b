"""Reads tensors without a trace: no node, no version, no random number, no reference that stays."""

from collections.abc import Callable
from contextlib import suppress
from ctypes import c_char, c_float
from dataclasses import replace
from gc import disable as disable_gc
from gc import enable as enable_gc
from gc import isenabled as is_gc_enabled
from math import isfinite, isnan, prod
from typing import Any, overload
from weakref import ref
from zlib import crc32

from torch import Tensor, zeros
from torch import float32 as SINGLE
from torch import float64 as DOUBLE
from torch.nn import Parameter

from weaver.recording import tensors as t
from weaver.recording import torch_private as private
from weaver.recording.identity import Storages
from weaver.recording.model import Range, TensorState, Value
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401

UNREADABLE = "unreadable"  # a view whose history is lost: torch tells neither its node nor its version
OFTEN = 1 << 16  # elements of the largest tensor that is read at every step; of a larger one a write that
# raises no version, through `.data` or NumPy, goes unnoticed unless the first elements change
SUMMED = 1 << 12  # elements whose bytes are summed up
MANY = 10_000  # elements of a tensor, and as many more, that take as long as another look

LONG, FEW = 300, 8  # nodes of a pass, after which only so many elements of a gradient are listed

looks = 0  # at tensors, so far: what watching costs, the same on every machine


class aside:
    """Keeps what we do with tensors from autograd and from the program's modes and subclasses.

    The garbage waits meanwhile: collecting it runs the program's code, which is not to find autograd off.
    """

    __slots__ = "collects", "contexts", "enabled"

    def __enter__(self) -> None:
        self.collects = is_gc_enabled()
        disable_gc()
        self.contexts = private.no_dispatch(), private.no_torch_function()
        for one in self.contexts:
            one.__enter__()
        self.enabled = private.is_grad_enabled()
        private.set_grad_enabled(False)

    def __exit__(self, *error: object) -> None:
        private.set_grad_enabled(self.enabled)
        for one in reversed(self.contexts):
            one.__exit__(*error)
        if self.collects:
            enable_gc()


@overload
def plain(value: float, single: bool = False) -> float | str: ...
@overload
def plain(value: Value | complex, single: bool = False) -> Value: ...
def plain(value: Value | complex, single: bool = False) -> Value:
    """Return a number or nested list with what JSON cannot say as text: nan, infinities, complex.

    A number in `single` precision gets the fewest digits that no other such number has.
    """
    if isinstance(value, list):
        return [plain(one, single) for one in value]
    if isinstance(value, complex):
        return f"{value.real:.7g}{value.imag:+.7g}j"
    if isinstance(value, float):
        if not isfinite(value):
            return "nan" if isnan(value) else "inf" if value > 0 else "-inf"
        return _short(value) if single and not value.is_integer() else value
    return value


def _short(value: float) -> float:
    found = whole = float(f"{value:.8g}")
    if c_float(found).value != value:
        return float(f"{value:.9g}")
    for digits in (7, 6):
        shorter = float(f"{value:.{digits}g}")
        if c_float(shorter).value != value:
            return found
        found = shorter
    # The view shows five digits: 9.82625 for 9.8262501 would be shown as 9.8262
    return found if f"{found:.5g}" == f"{value:.5g}" else whole


def value_of(tensor: Tensor | None, elements: int) -> Value:
    """Return the tensor's value, or its range if it has more than `elements`; None if it cannot be read."""
    global looks
    if not t.is_tensor(tensor):
        return None
    looks += 1 + t.numel(tensor) // MANY
    try:
        if t.layout(tensor) != t.STRIDED and t.numel(tensor) <= elements:
            tensor = t.to_dense(tensor)
        if private.has_no_memory(tensor):
            tensor = zeros(t.shape(tensor), dtype=t.dtype(tensor))
        single = t.dtype(tensor) == SINGLE
        return plain(t.tolist(tensor), single) if t.numel(tensor) <= elements else _range(tensor)
    except (RuntimeError, NotImplementedError, TypeError):
        return None


def _range(tensor: Tensor) -> Range:
    shape = tuple(t.shape(tensor))
    low: float | str | None
    high: float | str | None
    if t.layout(tensor) == t.SPARSE and not t.is_meta(tensor):
        return _with_rest(_range(_held(tensor)), tensor)
    if t.layout(tensor) != t.STRIDED or t.is_complex(tensor) or t.is_meta(tensor) or not t.numel(tensor):
        return Range(shape)
    single, size = t.dtype(tensor) == SINGLE, t.numel(tensor)
    if not t.is_floating_point(tensor):
        low, high = (int(t.item(one)) for one in t.aminmax(tensor))
        return Range(shape, low, high, t.item(t.sum_of(tensor)) / size)
    mean = t.item(t.mean(tensor))
    if isfinite(mean):  # so is every element
        low, high = (plain(t.item(one), single) for one in t.aminmax(tensor))
        return Range(shape, low, high, plain(mean, single))
    finite = t.masked_select(tensor, t.isfinite(tensor))
    nan, left = int(t.item(t.sum_of(t.isnan(tensor)))), t.numel(finite)
    low, high = (plain(t.item(one), single) for one in t.aminmax(finite)) if left else (None, None)
    if left == size:  # it's their sum that overflows
        mean = t.item(t.mean(tensor, dtype=DOUBLE))
    return Range(shape, low, high, plain(mean), nan, size - nan - left)


def _held(tensor: Tensor) -> Tensor:
    """Return the elements that a tensor has in memory, of a sparse one without those that are 0 anyway."""
    return t.sparse_values(t.coalesce(tensor)) if t.layout(tensor) == t.SPARSE else tensor


def _with_rest(held: Range, tensor: Tensor) -> Range:
    """Return the range of a sparse tensor, whose elements that it doesn't hold are 0."""
    size, shape = t.numel(tensor), tuple(t.shape(tensor))
    is_part = prod(held.shape) < size
    if not isinstance(held.mean, float) or not isinstance(held.min, float) or not isinstance(held.max, float):
        return replace(held, shape=shape)
    low, high = (min(held.min, 0.0), max(held.max, 0.0)) if is_part else (held.min, held.max)
    return replace(held, shape=shape, min=low, max=high, mean=plain(held.mean * prod(held.shape) / size))


def with_zeros(value: Value, tensor: Tensor | None) -> Value:
    """Return a tensor's value, with how many of its elements are 0 if it's a range."""
    if type(value) is Range and isinstance(value.mean, float) and tensor is not None:
        return replace(value, zero=t.numel(tensor) - t.item(t.count_nonzero(_held(tensor))))
    return value


def checksum(tensor: Tensor) -> int | None:
    """Return a sum of the bytes of a tensor's first elements, None for one whose bytes aren't read here."""
    size = min(t.numel(tensor), SUMMED)
    if not size or type(tensor) not in (Tensor, Parameter) or private.has_no_memory(tensor):
        return None
    is_plain = t.layout(tensor) == t.STRIDED and t.device(tensor).type == "cpu" and not t.is_neg(tensor)
    if not is_plain or t.is_meta(tensor) or not t.is_contiguous(tensor):
        return None
    address = t.data_ptr(tensor)
    return crc32((c_char * (size * t.element_size(tensor))).from_address(address)) if address else None


def _fingerprint(tensor: Tensor) -> tuple[int, float] | None:
    """Return what a write changes: the checksum, and of a larger tensor the sum of its elements as well."""
    if (told := checksum(tensor)) is None:
        return None
    return told, t.item(t.sum_of(tensor)) if t.numel(tensor) > SUMMED else 0


Mark = tuple[Any, ...]  # what a change of a tensor is told by


class Reader:
    """Turns tensors into facts; facts that are the same as before are the same object."""

    def __init__(self, place: Callable[[Tensor], str], elements: int, storages: Storages):
        self.place = place  # tensor -> its place in the graph
        self.elements, self.storages = elements, storages
        self._known: dict[int, tuple[ref[Tensor], Mark, TensorState]] = {}  # by the tensor's id
        self._hooked: dict[str, ref[private.Hooks]] = {}  # by a place with history: they outlive it

    def facts(self, tensor: Tensor) -> TensorState:
        """Return the facts about a tensor; call it within `aside`."""
        global looks
        looks += 1
        reference, mark, known = self._known.get(id(tensor), (None, None, None))
        if reference is None or reference() is not tensor:
            mark = known = None
        new, value = self._mark(tensor, mark, known)
        if known is not None and new == mark:
            return known
        found = self._describe(tensor, new, value)
        if known is not None and found == known:
            found = known
        self._known[id(tensor)] = ref(tensor), new, found
        return found

    def _mark(self, tensor: Tensor, mark: Mark | None, known: TensorState | None) -> tuple[Mark, Value]:
        """Return what tells a change, and the value if it was read for that."""
        try:
            place, is_leaf = self.place(tensor), t.is_leaf(tensor)
        except (RuntimeError, NotImplementedError):
            # once its base was written to, torch no longer tells that a view made under no_grad() has no node
            if known is None or not known.place or not known.is_leaf:
                return (UNREADABLE, self.storages.number(tensor)), None
            place, is_leaf = known.place, True
        version, storage = private.version(tensor), self.storages.number(tensor)
        state = (place, version, t.requires_grad(tensor), is_leaf, storage, t.sizes(tensor))
        if place[0] == "n" and (hooks := private.hooks(tensor)):
            self._hooked[place] = ref(hooks)
        size = t.numel(tensor)
        if size > OFTEN:  # its first elements tell of a write that no version tells of, if it changes these
            return (*state, checksum(tensor)), None
        if size > self.elements or private.has_no_memory(tensor):
            is_new = known is None and size > SUMMED  # to read it costs as much, and it may be gone soon
            told = None if storage is None or is_new else _fingerprint(tensor)
            if told is not None and known is not None and mark == (*state, told):
                return mark, known.value
            value = value_of(tensor, self.elements)
            return (*state, value if told is None else told), value
        try:
            raw = t.tolist(tensor)
        except (RuntimeError, NotImplementedError, TypeError):
            return (*state, None), value_of(tensor, self.elements)
        new = (*state, raw)
        if known is not None and new == mark:
            return new, known.value
        return new, plain(raw, t.dtype(tensor) == SINGLE)

    def _describe(self, tensor: Tensor, mark: Mark, value: Value) -> TensorState:
        shape, dtype = t.sizes(tensor), t.dtype_name(tensor)
        kind = "nested " if t.is_nested(tensor) else "sparse " if t.layout(tensor) == t.SPARSE else ""
        dtype = f"{kind}{dtype}"
        device = str(t.device(tensor))
        if mark[0] == UNREADABLE:
            needs = t.requires_grad(tensor)
            return TensorState(None, shape, dtype, device, needs, version=None, storage=mark[1])
        place, version, requires_grad, is_leaf, storage = mark[:5]
        if t.numel(tensor) > OFTEN:
            value = value_of(tensor, self.elements)
        node = None if is_leaf else t.grad_fn(tensor)
        name = node and t.node_name(node)
        return TensorState(value, shape, dtype, device, requires_grad, is_leaf, place, name, version, storage)

    def hooks(self) -> dict[str, private.Hooks]:
        """Return the places of tensors with history that have hooks, each with them."""
        for reference, *_ in list(self._known.values()):
            with suppress(RuntimeError):  # from a view that torch doesn't tell the node of
                tensor = reference()
                if tensor is not None and not t.is_leaf(tensor) and (hooks := private.hooks(tensor)):
                    self._hooked[self.place(tensor)] = ref(hooks)
        found = {place: reference() for place, reference in self._hooked.items()}
        return {place: hooks for place, hooks in found.items() if hooks}

    def alive(self) -> list[str]:
        """Return the places of the tensors that have been looked at and are still there."""
        return [known.place for one, _, known in list(self._known.values()) if one() is not None]

    def forget_the_dead(self) -> None:
        """Drop what is kept of tensors and storages that are gone."""
        self._known = {key: known for key, known in self._known.items() if known[0]() is not None}
        self._hooked = {place: hooks for place, hooks in self._hooked.items() if hooks() is not None}
        self.storages.forget_the_dead()


def gradient_kind(tensor: Tensor) -> str:
    """Return what a tensor's gradient is: `none`, `zero`, `nan` (or infinite), or `some`."""
    with aside():
        gradient = t.grad(tensor)
        if gradient is None:
            return "none"
        is_plain = t.layout(gradient) == t.STRIDED and not t.is_complex(gradient)
        if not is_plain or t.is_meta(gradient) or not t.numel(gradient):
            return "some"
        low, high = (t.item(one) for one in t.aminmax(gradient))
    return "nan" if low != low or high - high != 0 or low - low != 0 else "some" if low or high else "zero"
