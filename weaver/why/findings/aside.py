"""A pass computes gradients for leaves that are made anew each time, and nothing uses them."""

from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.leaves import is_input
from weaver.why.run import WatchedRun


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
        if len(leaves) < 2 or held & leaves.keys() or any(is_input(run, leaf) for leaf in leaves):
            continue
        if (at := run.first(leaves)) is not None:
            line, shows = run.steps[at].line, max(leaves.values())
            yield Finding("aside", Severity.NOTE, line, at, shows, "", {"name": name})
