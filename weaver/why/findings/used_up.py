"""A loop, or another line, goes through an iterator that's used up: nothing comes from it any more."""

from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that read a module's `parameters()`, or a loop's iterator, after it was used up."""
    first = {act.line: act for act in reversed(run.of("used_up"))}
    for act in sorted(first.values(), key=lambda one: one.step):
        case = "again" * act.same if act.on else "loop" if act.same else "earlier"
        yield Finding("used_up", Severity.WRONG, act.line, act.step, None, case, {"name": act.name})
