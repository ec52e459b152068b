"""A pass computes gradients for a new leaf in each iteration, and nothing uses them."""

from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.why.finding import Finding, Severity
from weaver.why.leaves import is_asked
from weaver.why.run import WatchedRun
from weaver.why.values import is_zero


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find variables that lead to a new leaf in each iteration, whose gradient no line and no step uses."""
    held = run.stepped.union(*(act.places for act in run.of("optimizer")))
    held |= {place for _, place in run.readings}
    made: dict[str, dict[str, int]] = {}  # variable -> leaves, with the line of a pass that reached them
    for one in run.passes if run.of("step") else ():
        for leaf in one.given() if one.of == "backward" else ():
            if (name := run.usual(leaf)).isidentifier():
                made.setdefault(name, {})[leaf] = one.line
    for name, leaves in made.items():
        if len(leaves) < 2 or held & leaves.keys() or any(is_asked(run, leaf) for leaf in leaves):
            continue
        at = run.first({*leaves, *(f"p{leaf[1:]}" for leaf in leaves)})  # before it requires a gradient
        if at is not None and _takes_values(run, at, name):
            line, shows = run.steps[at].line, max(leaves.values())
            yield Finding("aside", Severity.NOTE, line, at, shows, "", {"name": name})


def _takes_values(run: WatchedRun, at: int, name: str) -> bool:
    """Tell whether a step's line reads a tensor that has a graph, and doesn't only fill a new one with 0."""
    before, state = run.before(run.steps[at]), run.steps[at].tensors.get(name)
    read = (before.get(path(one) or "") for one in run.expressions(run.steps[at].line))
    is_filled = state is not None and not is_zero(state.value)
    return is_filled and any(one and one.place[:1] == "n" for one in read)
