"""A copy of a model follows its parameters, but not its buffers."""

from collections.abc import Iterator

from weaver.recording.model import Value
from weaver.why.finding import Finding, Severity
from weaver.why.findings.trained import written
from weaver.why.run import WatchedRun

STATISTICS = ".running_mean", ".running_var"


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that write a copy's parameters while its statistics stay, and the model's change."""
    values: dict[str, list[Value]] = {}  # of buffers, by their best names
    for step in run.steps:
        for state in step.tensors.values():
            name = run.names[state.place]
            if name.endswith(STATISTICS) and state.value not in values.setdefault(name, []):
                values[name].append(state.value)
    stepped = {run.names[place] for place in run.stepped if place in run.names}
    for line, (index, places) in written(run).items() if values and stepped else ():
        roots = {_roots(run.names[place], stepped) for place in places if place in run.names}
        for copy, model in sorted(filter(None, roots)):
            still = [name for name, known in values.items() if name.startswith(copy) and len(known) == 1]
            moved = [name for name in still if len(values.get(model + name[len(copy) :], ())) > 1]
            if moved:
                name = min(moved)
                fields = {"name": name, "leaf": model + name[len(copy) :]}
                yield Finding("average", Severity.NOTE, line, index, None, "", fields)
                return


def _roots(name: str, stepped: set[str]) -> tuple[str, str] | None:
    """Return what a parameter's name begins with, and that of its counterpart, which is optimized."""
    parts = name.split(".")
    for at in range(1, len(parts)):
        tail = "." + ".".join(parts[at:])
        if found := sorted(one for one in stepped - {name} if one.endswith(tail)):
            return name.removesuffix(tail) + ".", found[0].removesuffix(tail) + "."
    return None
