"""Which steps have to do with gradients, and how backward passes differ."""

from collections import Counter
from collections.abc import Sequence

from weaver.recording.model import Event, Range, Step, TensorState, Value
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401

KINDS = 6  # of backward pass that are told apart


def is_end(event: Event) -> bool:
    """Tell whether the engine began, or came to a leaf."""
    return event.kind == "start" or (event.kind == "visit" and (event.node or "")[:1] == "l")


def caller(steps: Sequence[Step], index: int, event: Event) -> int:
    """Return the step of the line that called the engine, which began in a step: hooks run before its end."""
    depth = steps[index].depth if event.depth is None else event.depth
    return next((at for at in range(index, len(steps)) if steps[at].depth <= depth), index)


def callers(steps: Sequence[Step]) -> list[int]:
    """Return, for each step, the step of the line that called its function, or that step itself."""
    found = [*range(len(steps))]
    outer: list[int] = []  # steps after this one, the next and deepest last
    for at in range(len(steps) - 1, -1, -1):
        while outer and steps[outer[-1]].depth >= steps[at].depth:
            outer.pop()
        found[at] = outer[-1] if outer else at
        outer.append(at)
    return found


def is_training(step: Step) -> bool:
    """Tell whether the engine ran in a step, or something that requires grad, or a gradient, changed."""
    return bool(step.events) or step.returns or changes_gradients(step.before or {}, step.tensors)


def prepares(before: dict[str, TensorState], after: dict[str, TensorState]) -> bool:
    """Tell whether all that changed of what requires grad is that leaves are made or initialized."""
    changed = ((before.get(name), state) for name, state in after.items() if before.get(name) is not state)
    needed = ((old, new) for old, new in changed if new.requires_grad or (old and old.requires_grad))
    return all(new.place[:1] == "l" and (not old or old.place[:1] == "l") for old, new in needed)


def changes_gradients(before: dict[str, TensorState], after: dict[str, TensorState]) -> bool:
    """Tell whether something that requires grad, or a gradient, isn't what it was."""
    changed = (
        (name, state)
        for name, state in (*after.items(), *before.items())
        if after.get(name) is not before.get(name)
    )
    return any(state.requires_grad or name.endswith(".grad") for name, state in changed)


def kinds(steps: Sequence[Step]) -> list[int]:
    """Return the first step with each kind of backward pass: from a line to as many leaves that last."""
    runs: dict[int, tuple[int, list[Event]]] = {}  # the step where it starts, its visits
    for at, step in enumerate(steps):
        for event in step.events:
            if event.kind == "start":
                runs.setdefault(event.run, (at, []))
            elif event.kind == "visit" and event.run in runs and (event.node or "")[:1] == "l":
                runs[event.run][1].append(event)
    counts = Counter(event.node for _, events in runs.values() for event in events)
    found: dict[tuple[int, int], int] = {}
    for at, events in runs.values():
        lasting = len({event.node for event in events if counts[event.node] > 1})
        found.setdefault((steps[at].line, lasting), at)
    return [*found.values()][:KINDS]


def first_training(steps: Sequence[Step]) -> int | None:
    """Return the last step with a backward pass before leaves are first updated, else the first."""
    first = last = None
    for at, step in enumerate(steps):
        if any(event.kind == "start" for event in step.events):
            first, last = at if first is None else first, at
        if last is not None and _updates(step):
            return last
    return first


def first_of_lines(steps: Sequence[Step]) -> list[int]:
    """Return the first step of each line in which something that requires grad, or a gradient, changed."""
    found: dict[int, int] = {}
    for at, step in enumerate(steps):
        if step.line not in found and is_training(step):
            found[step.line] = at
    return [*found.values()]


def first_update(steps: Sequence[Step]) -> list[int]:
    """Return the first step that updates leaves after a backward pass, if there's one."""
    first = first_training(steps)
    after = range(first, len(steps)) if first is not None else ()
    return [at for at in after if _updates(steps[at])][:1]


def _updates(step: Step) -> bool:
    """Tell whether a step writes to a leaf in place."""
    return any(
        state.place[:1] == "l"
        and (old := (step.before or {}).get(name)) is not None
        and old is not state
        and old.place == state.place
        and (old.version or 0) < (state.version or 0)
        for name, state in step.tensors.items()
    )


def reached(steps: Sequence[Step]) -> set[str]:
    """Return the leaves at which a gradient arrived that isn't 0 everywhere."""
    events = (event for step in steps for event in step.events if event.kind == "visit")
    return {
        event.node
        for event in events
        if event.node and event.node[0] == "l" and not all(map(_is_zero, event.received or ()))
    }


def _is_zero(value: Value) -> bool:
    """Tell whether a gradient is 0 everywhere, or undefined."""
    if type(value) is list:
        return all(map(_is_zero, value))
    if type(value) is Range:
        return value.min == value.max == 0
    return value is None or value == 0
