"""autograd.grad() fails, as the result wasn't computed from the tensor that it's to be differentiated by."""

import re
from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.recording.model import id_of
from weaver.why.finding import Finding, Severity
from weaver.why.leaves import asked_of_grad
from weaver.why.run import WatchedPass, WatchedRun

LISTED = re.compile(r"\[\d+\]")
FAILED = re.compile(r"appears? to not have been used in the graph")


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find the line that made the tensor, if it isn't among what the result came from."""
    for one in run.passes:
        if one.failed and one.roots and FAILED.search(one.failed.text or ""):
            behind, known = run.behind(one.roots), run.before(run.steps[one.step])
            inputs = {name: known[name].place for name in _inputs(run, one)}
            unused = {name: place for name, place in inputs.items() if id_of(place) not in behind}
            leaves = [place for name, place in unused.items() if place[:1] == "l" and name[-1] == "]"]
            if leaves:
                line = run.steps[_listed(run, leaves[0], one.step)].line
                yield Finding(
                    "unused_input", Severity.FAILS, line, one.step, one.line, "leaf", run.named(leaves)
                )
                return
            if unused:
                name, place = next(iter(unused.items()))
                made = _made(run, place, one.step)
                line = one.line if made is None else run.steps[made].line
                yield Finding("unused_input", Severity.FAILS, line, one.step, one.line, "", {"name": name})
                return


def _inputs(run: WatchedRun, one: WatchedPass) -> Iterator[str]:
    """Yield the names of the tensors that a line hands to grad() as inputs, as far as they have any."""
    known = run.before(run.steps[one.step])
    for name in filter(None, map(path, asked_of_grad(run, one.line))):
        listed = (each for each in known if each.startswith(name))
        yield from (each for each in listed if each == name or LISTED.fullmatch(each[len(name) :]))


def _listed(run: WatchedRun, place: str, before: int) -> int:
    """Return the first step after which a list has a tensor, and the last one asked for if none has."""
    for at, step in enumerate(run.steps[:before]):
        if any(state.place == place and LISTED.search(name) for name, state in step.tensors.items()):
            return at
    return before


def _made(run: WatchedRun, place: str, before: int) -> int | None:
    """Return the step of the outermost line that made a tensor, None if it isn't known.

    Of one that was passed in without a name, that's the line that called the function.
    """
    seen = [
        at for at in range(before) if any(one.place == place for one in run.steps[at].tensors.values())
    ]
    made = min(seen, key=lambda at: (run.steps[at].depth, at), default=None)
    if made is None or run.steps[made].gap:
        return None
    is_given = any(one.place == place for one in run.before(run.steps[made]).values())
    return run.caller(made) if is_given else made
