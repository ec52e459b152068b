"""The program reads a gradient that's None."""

from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.recording.model import NoGradient
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun
from weaver.why.uses import effective

KINDS = {"intermediate", "plain"}  # of tensors that get no gradient


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find what keeps gradients None that the program read: cuts where no optimizer steps, and tensors."""
    is_trained = any(place[:1] == "l" for act in effective(run) for place in act.places)
    found: dict[tuple[int, str], tuple[int, list[NoGradient]]] = {}
    told: set[int] = set()
    for index, step in enumerate(run.steps):
        for one in step.missing:
            if one.line and one.why in ("cut", "operation") and not is_trained:
                found.setdefault((one.line, one.by), (index, []))[1].append(one)
            elif one.why in KINDS and step.line not in told and _reads(run, index, one.name):
                told.add(step.line)
                yield Finding("asked", Severity.NOTE, step.line, index, None, one.why, {"name": one.name})
    for (line, by), (index, several) in found.items():
        fields = {"name": several[0].name, "by": by}
        yield Finding("no_gradient", Severity.NOTE, line, index, None, "cut" if by else "operation", fields)


def _reads(run: WatchedRun, index: int, name: str) -> bool:
    """Tell whether a step's line reads the `.grad` of a variable, which isn't a parameter."""
    step = run.steps[index]
    state, after = run.before(step).get(name), step.tensors.get(name)
    if not state or not after or state.place != after.place:  # the line gave the name to another tensor
        return False
    is_part = any("." in other for other in [name, *run.aliases(state.place)])
    return not is_part and any(path(one) == f"{name}.grad" for one in run.expressions(step.line))
