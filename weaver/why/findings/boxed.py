"""What a reentrant checkpoint returns in a dict or a list, which has no graph."""

from collections.abc import Iterator

from weaver.recording.repeated import begin
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun
from weaver.why.values import is_differentiable

REENTRANT = "CheckpointFunctionBackward"  # the node of use_reentrant=True


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find lines with a reentrant checkpoint that also take new tensors without a graph out of containers."""
    lines: dict[int, tuple[int, set[str]]] = {}
    for node in run.nodes.values():
        at = run.made(node) if node.name == REENTRANT else -1
        states = run.steps[at].tensors.items() if at >= 0 and not run.steps[at].gap else ()
        boxed = (one for name, one in states if "[" in name and is_differentiable(one))
        cut = {one.place for one in boxed if one.place[:1] == "p"}
        if fresh := {place for place in cut if begin(run.steps, at) <= run.seen[place] <= at}:
            lines.setdefault(run.steps[at].line, (at, fresh))
    for line, (at, places) in lines.items():
        yield Finding("boxed", Severity.NOTE, line, at, None, "", run.named(places))
