"""A trace whose page would be too large -> one that lists fewer elements of its tensors."""

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from weaver.recording.model import Event, Node, Range, Step, TensorState, Trace, Value

FEW = 8  # elements that are still listed


def condensed(trace: Trace) -> Trace:
    """Return a trace in which each tensor of more than FEW elements is a range, as larger ones are anyway."""
    known: dict[int, TensorState] = {}  # a state stays the same in each step that has it

    def state(one: TensorState) -> TensorState:
        if id(one) not in known:
            known[id(one)] = replace(one, value=_range(one.value, one.shape))
        return known[id(one)]

    def states(found: dict[str, TensorState]) -> dict[str, TensorState]:
        return {name: state(one) for name, one in found.items()}

    def step(one: Step) -> Step:
        before = None if one.before is None else states(one.before)
        events = [_event(event) for event in one.events]
        return replace(one, tensors=states(one.tensors), before=before, events=events)

    steps = [step(one) for one in trace.steps]
    return replace(trace, before=states(trace.before), steps=steps, nodes=[_node(one) for one in trace.nodes])


def _node(node: Node) -> Node:
    return replace(node, saved=tuple(replace(one, value=_range(one.value)) for one in node.saved))


def _event(event: Event) -> Event:
    def each(values: list[Value] | None) -> list[Value] | None:
        return values and [_with_zeros(one) for one in values]

    at_leaf = replace(event, before=_with_zeros(event.before), after=_with_zeros(event.after))
    return replace(at_leaf, received=each(event.received), passed=each(event.passed))


def _with_zeros(value: Value) -> Value:
    """Return a gradient, with how many of its elements are 0 if it's a range now."""
    found = _range(value)
    if isinstance(found, Range) and isinstance(value, list):
        return replace(found, zero=sum(one == 0 for one in _elements(value)))
    return found


def _range(value: Value, shape: tuple[int, ...] | None = None) -> Value:
    """Return a list of many elements as a range; what isn't numbers as it is."""
    if not isinstance(value, list):
        return value
    shape = _shape(value) if shape is None else shape
    elements = [*_elements(value)] if prod(shape) > FEW else []
    finite = [one for one in elements if isinstance(one, int | float)]
    bad = [str(one) for one in elements if not isinstance(one, int | float)]
    if not elements or {*bad} - {"nan", "inf", "-inf"}:
        return value
    nan = bad.count("nan")
    mean = sum(finite) / len(finite) if finite and not bad else _mean(bad)
    return Range(shape, min(finite, default=None), max(finite, default=None), mean, nan, len(bad) - nan)


def _mean(bad: list[str]) -> str:
    """Return the mean of elements that aren't all finite, by those that aren't."""
    return bad[0] if len({*bad}) == 1 else "nan"


def _shape(value: Value) -> tuple[int, ...]:
    return (len(value), *(_shape(value[0]) if value else ())) if isinstance(value, list) else ()


def _elements(value: Value) -> Iterator[Value]:
    if not isinstance(value, list):
        yield value
        return
    for one in value:
        yield from _elements(one)
