"""What a recorded value says: whether it holds a nan, nothing but 0, or elements that differ; its size."""

from collections.abc import Iterator
from math import inf, prod

from weaver.recording.model import Range, TensorState, Value

DESCRIBING = {"shape", "size", "numel", "dim", "ndim", "dtype", "device", "is_cuda"}  # which read no element


def has(value: Value, *texts: str) -> bool:
    """Tell whether a value holds one of `nan`, `inf` and `-inf`."""
    if isinstance(value, Range):
        ends = {value.min, value.max, value.mean}
        return (
            ("nan" in texts and value.nan > 0) or ("inf" in texts and value.inf > 0) or bool(ends & {*texts})
        )
    if isinstance(value, list):
        return any(has(one, *texts) for one in value)
    return isinstance(value, str) and value in texts


def is_reversed(value: Value, other: Value) -> bool:
    """Tell whether another value's elements have the opposite sign, or its range and mean do."""
    pairs = zip(_elements(value), _elements(other), strict=False)
    products = [each for one, two in pairs for each in _products(one, two)]
    return bool(products) and min(products) < 0 >= max(products)


def _products(one: Value, other: Value) -> Iterator[float]:
    if isinstance(one, Range) and isinstance(other, Range):
        for pair in ((one.mean, other.mean), (one.min, other.max), (one.max, other.min)):
            yield from _products(*pair)
    elif isinstance(one, int | float) and isinstance(other, int | float):
        yield one * other
    else:
        yield inf


def is_zero(value: Value) -> bool:
    """Tell whether a value has elements, and all of them are 0."""
    if isinstance(value, Range):
        return value.min == 0 == value.max and not value.nan and not value.inf
    if isinstance(value, list):
        return bool(value) and all(map(is_zero, value))
    return value == 0 and value is not None


def is_one(value: Value) -> bool:
    """Tell whether a value has elements, and all of them are 1."""
    if isinstance(value, Range):
        return value.min == 1 == value.max and not value.nan and not value.inf
    if isinstance(value, list):
        return bool(value) and all(map(is_one, value))
    return value == 1


def is_differentiable(state: TensorState) -> bool:
    """Tell whether a tensor's kind of numbers can have a gradient."""
    return "float" in state.dtype or "complex" in state.dtype


def varies(value: Value) -> bool:
    """Tell whether a value has elements that differ."""
    return value.min != value.max if isinstance(value, Range) else len({*_elements(value)}) > 1


def _elements(value: Value) -> Iterator[Value]:
    if isinstance(value, list):
        for one in value:
            yield from _elements(one)
    else:
        yield value


def largest(value: Value) -> float:
    """Return the largest element, without its sign; infinity if that isn't known."""
    ends = [value.min, value.max] if isinstance(value, Range) else [*_elements(value)]
    return max((abs(one) if isinstance(one, int | float) else inf for one in ends), default=inf)


def has_zero(value: Value) -> bool:
    """Tell whether an element is 0, as far as the values are known."""
    if isinstance(value, list):
        return any(map(has_zero, value))
    return bool(value.zero) if isinstance(value, Range) else value == 0


def zeros(value: Value) -> int:
    """Return how many elements of a gradient are 0."""
    return value.zero if isinstance(value, Range) else sum(one == 0 for one in _elements(value))


def size(value: Value) -> int:
    """Return how many elements a value has."""
    return prod(value.shape) if isinstance(value, Range) else sum(1 for _ in _elements(value))
