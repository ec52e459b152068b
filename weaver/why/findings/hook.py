"""A hook was registered, and is never called."""

from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find hooks that weren't called although backward passes ran after they were registered."""
    passes = max((one.number for one in run.passes), default=-1) + 1
    told: set[int] = set()
    for act in run.of("hook"):
        if act.on or act.run >= passes or run.trace.error or act.line in told:
            continue
        visited = {id for one in run.passes for id in one.ids()}
        if not {place.partition(".")[0] for place in act.places} & visited:
            told.add(act.line)
            yield Finding("hook", Severity.WRONG, act.line, act.step, fields={"name": act.name})
