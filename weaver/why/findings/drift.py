"""Frozen parameters that an optimizer still changes, as they have a gradient."""

from collections.abc import Iterator

from weaver.recording.acts import Act
from weaver.why.finding import Finding, Severity
from weaver.why.findings.trained import drifts, frozen_by, switched
from weaver.why.findings.zero import FEW, always_zero
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that freeze parameters which later steps change: with an old gradient, or with zeros."""
    freezing: dict[int, tuple[int, set[str]]] = {}  # line -> its first step, the places after it
    for (line, step), places in frozen_by(run).items():
        freezing.setdefault(line, (step, set()))[1].update(places)
    for step, place in switched(run):  # perhaps for a time only
        if place[:1] == "p" and not run.steps[step].gap:
            freezing.setdefault(run.steps[step].line, (step, set()))[1].add(place)
    moving = [(act, {*drifts(run, act)} - _own(run, act)) for act in run.of("step")] if freezing else []
    told = set[str]()
    for line, (step, places) in freezing.items():
        acts = [(act, moved & places) for act, moved in moving if act.step > step and moved & places]
        if moved := set[str]().union(*(some for _, some in acts)) - told:
            told |= places
            fields = run.named(moved) | {"by": acts[0][0].name}
            yield Finding("drift", Severity.WRONG, line, step, acts[0][0].line, "", fields)
    yield from _zeros(run, told)


def _own(run: WatchedRun, act: Act) -> set[str]:
    """Return what a step changes by gradients that passes since its optimizer's last step computed.

    Those are frozen by now, as in a training that does so around each phase. All that it holds counts if
    nobody watched some of it.
    """
    steps = run.stepping[act.of]
    last = next((one for one in reversed(steps) if (one.run, one.step) < (act.run, act.step)), None)
    if run.has_gap(last.step if last else -1, act.step):
        return {*act.places}
    passes = (one for one in run.passes if (last.run if last else 0) <= one.number < act.run)
    given = {leaf[1:] for one in passes for leaf in one.given()}
    return {place for place in act.places if place[1:] in given}


def _zeros(run: WatchedRun, told: set[str]) -> Iterator[Finding]:
    """Find a step that changes other parameters, whose gradients are 0 in all steps of their optimizer."""
    for maker in run.of("optimizer"):
        steps = run.stepping.get(maker.of, [])
        still = always_zero(steps, maker)
        for act in steps if len(steps) >= FEW else ():
            if moved := still & {*drifts(run, act)} - told:
                fields = run.named(moved) | {"by": act.name}
                yield Finding("drift", Severity.NOTE, act.line, act.step, None, "zero", fields)
                return
