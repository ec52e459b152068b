"""Backward passes that begin at a leaf, and optimizers whose steps change nothing."""

from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun

SEVERAL = 2  # steps


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find passes that lead nowhere, and steps without a gradient, or without a learning rate."""
    nowhere = [*_at_leaves(run)]
    yield from nowhere
    gone = run.has_gap(-1, len(run.steps))
    for maker in run.of("optimizer"):
        steps = run.stepping.get(maker.of, [])
        if len(steps) < SEVERAL or not {*steps[0].places} & run.touched:  # else it only shows a schedule
            continue
        severity = Severity.NOTE if gone else Severity.WRONG
        if all(act.on for act in steps):
            fields, first = {"by": maker.name}, steps[0]
            yield Finding("hollow", severity, maker.line, first.step, first.line, "rate", fields)
        elif not nowhere and not maker.updated and all({*act.grads} == {"none"} for act in steps):
            fields = {"by": maker.name, **run.named(steps[0].places)}
            yield Finding("hollow", severity, steps[0].line, steps[0].step, maker.line, "step", fields)


def _at_leaves(run: WatchedRun) -> Iterator[Finding]:
    """Find the lines whose passes begin at a leaf that no optimizer steps: no operation led to it."""
    told: set[int] = set()
    for one in run.passes:
        is_leaf = bool(one.roots) and all(root[:1] == "l" for root in one.roots)
        if one.of != "backward" or not is_leaf or one.line in told or run.stepped.intersection(one.roots):
            continue
        told.add(one.line)
        off = run.switched_off(one.step)
        fields = {"name": run.names.get(one.roots[0], ""), "also": str(off[0]) if off else ""}
        yield Finding("hollow", Severity.WRONG, one.line, one.step, None, "off" if off else "", fields)
