"""Frozen parameters that an optimizer still changes, as they have a gradient."""

from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.findings.trained import drifts, frozen_by
from weaver.why.findings.zero import FEW, always_zero
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that freeze parameters which later steps change: with an old gradient, or with zeros."""
    for (line, step), places in frozen_by(run).items():
        for act in run.of("step"):
            if act.step > step and (moved := places & {*drifts(run, act)}):
                fields = run.named(moved) | {"by": act.name}
                yield Finding("drift", Severity.WRONG, line, step, act.line, "", fields)
                break
    yield from _zeros(run)


def _zeros(run: WatchedRun) -> Iterator[Finding]:
    """Find a step that changes parameters whose gradients are 0 in all steps of their optimizer."""
    for maker in run.of("optimizer"):
        steps = run.stepping.get(maker.of, [])
        still = always_zero(steps, maker)
        for act in steps if len(steps) >= FEW else ():
            if moved := still & {*drifts(run, act)}:
                fields = run.named(moved) | {"by": act.name}
                yield Finding("drift", Severity.NOTE, act.line, act.step, None, "zero", fields)
                return
