"""A parameter was made from a tensor without a copy, and its updates change that tensor."""

from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find tensors that were there before a parameter that shares their memory, and that its step changes.

    Something keeps them, or a later line reads them: else they were only there to make it.
    """
    storages: dict[int, str] = {}  # of what steps update -> the first parameter there
    first: dict[str, int] = {}  # place -> the step after which it was seen first
    for index, step in enumerate(run.steps):
        for state in step.tensors.values():
            first.setdefault(state.place, index)
            if state.place in run.stepped and state.storage is not None:
                storages.setdefault(state.storage, state.place)
    own = {place[1:] for place in run.stepped}
    told = set[str]()
    for act in run.of("step"):
        for name, state in run.before(run.steps[act.step]).items() if act.step >= 0 else ():
            leaf = storages.get(state.storage) if state.storage is not None else None
            is_other = state.place[:1] == "p" and state.place[1:] not in own and not name.endswith(".grad")
            if not leaf or not is_other or leaf in told or leaf not in act.places:
                continue
            is_older = first.get(state.place, act.step) < first[leaf]
            if is_older and run.changes(act.step, state.place) and _is_used(run, state.place, act.step):
                told.add(leaf)
                line = run.steps[first[leaf]].line
                fields = {"name": run.names.get(state.place, name), "leaf": run.names.get(leaf, "")}
                yield Finding("borrowed", Severity.NOTE, line, first[leaf], act.line, "", fields)


def _is_used(run: WatchedRun, place: str, step: int) -> bool:
    """Tell whether an object or a container holds a tensor, or a line reads it after a step."""
    if any("." in name or "[" in name for name in run.aliases(place)):
        return True
    for one in run.steps[step + 1 :]:
        names = {name for name, state in run.before(one).items() if state.place == place}
        if names and any(path(part) in names for part in run.expressions(one.line)):
            return True
    return False
