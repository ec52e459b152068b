"""Frozen parameters that an optimizer still changes, as they have a gradient."""

from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.findings.trained import drifts, frozen_by
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that freeze parameters which later steps change: with an old gradient, or with zeros."""
    for (line, step), places in frozen_by(run).items():
        for act in run.of("step"):
            if act.step > step and (moved := places & {*drifts(run, act)}):
                fields = run.named(moved) | {"by": act.name}
                yield Finding("drift", Severity.WRONG, line, step, act.line, "", fields)
                break
