"""A parameter was made from a tensor without a copy, and its updates change that tensor."""

from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.recording.model import TensorState
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find tensors that were there before a parameter that shares their memory, and that its step changes.

    A part of them was taken, or a later line reads them: else they were only there to make it.
    """
    storages: dict[int, TensorState] = {}  # of what steps update -> the first parameter there
    for step in run.steps:
        for state in step.tensors.values():
            if state.place in run.stepped and state.storage is not None:
                storages.setdefault(state.storage, state)
    own = {place[1:] for place in run.stepped}
    told = set[str]()
    for act in run.of("step"):
        for name, state in run.before(run.steps[act.step]).items() if act.step >= 0 else ():
            made = storages.get(state.storage) if state.storage is not None else None
            is_other = state.place[:1] == "p" and state.place[1:] not in own and not name.endswith(".grad")
            if not made or not is_other or made.place in told or made.place not in act.places:
                continue
            is_older = run.seen[state.place] < (at := run.seen[made.place])
            is_used = made.shape != state.shape or _is_read(run, state.place, act.step)
            if is_older and is_used and run.changes(act.step, state.place):
                told.add(made.place)
                fields = {"name": run.names.get(state.place, name), "leaf": run.names.get(made.place, "")}
                yield Finding("borrowed", Severity.NOTE, run.steps[at].line, at, act.line, "", fields)


def _is_read(run: WatchedRun, place: str, step: int) -> bool:
    """Tell whether a line reads a tensor after a step."""
    for one in run.steps[step + 1 :]:
        names = {name for name, state in run.before(one).items() if state.place == place}
        if names and any(path(part) in names for part in run.expressions(one.line)):
            return True
    return False
