"""Two parameters of an optimizer are the same memory, so each step writes it twice."""

from collections.abc import Iterator

from weaver.recording.model import TensorState
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find the line after which two leaves that an optimizer holds share a storage and all their values."""
    held = {place for act in run.of("step") for place in act.places}
    told: set[tuple[str, str]] = set()
    for index, step in enumerate(run.steps if held else ()):
        first: dict[int, TensorState] = {}
        if step.tensors == run.before(step):
            continue
        for state in step.tensors.values():
            if state.place not in held or state.storage is None:
                continue
            other = first.setdefault(state.storage, state)
            pair = other.place, state.place
            # parts of one buffer have other values
            if other.place != state.place and (other.shape, other.value) == (state.shape, state.value):
                if pair not in told:
                    fields = {"name": run.names[state.place], "leaf": run.names[other.place]}
                    yield Finding("shared", Severity.WRONG, step.line, index, None, "", fields)
                told |= {pair, pair[::-1]}
