"""Optimizers share parameters, or a line makes one again and again."""

from collections.abc import Iterator

from weaver.recording.acts import Act
from weaver.why.finding import Finding, Severity
from weaver.why.findings.trained import written
from weaver.why.run import WatchedPass, WatchedRun

FORGETFUL = {"SGD"}  # optimizers that may keep nothing from step to step
SEVERAL = 3  # optimizers for the same leaves, that a line makes


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find parameters that an optimizer holds twice, or two update, and optimizers made again and again."""
    yield from _twice(run)
    yield from _again(run)


def _again(run: WatchedRun) -> Iterator[Finding]:
    """Find a line in a loop that makes an optimizer which remembers, for the same leaves, again and again."""
    made: dict[tuple[int, frozenset[str]], list[Act]] = {}
    for act in run.of("optimizer"):
        if act.steps and act.loops and act.name not in FORGETFUL:
            made.setdefault((act.line, frozenset(place[1:] for place in act.places)), []).append(act)
    restored = {place[1:] for _, places in written(run).values() for place in places}  # each round is afresh
    for several in made.values():
        first = several[0]
        is_afresh = not restored.isdisjoint(place[1:] for place in first.places)
        if len(several) >= SEVERAL and first.places and not is_afresh:
            fields = {"by": first.name, "n": str(len(several)), **run.named(first.places)}
            yield Finding("optimizer", Severity.NOTE, first.line, first.step, None, "again", fields)


def _twice(run: WatchedRun) -> Iterator[Finding]:
    """Find leaves that an optimizer holds twice, or that two step in turn, with the same gradients."""
    turns: dict[str, list[int]] = {}
    fresh: dict[str, int] = {}  # leaf -> the optimizer that used its gradient; another loss may have its own
    for one in run.in_order():
        if isinstance(one, WatchedPass):
            for place in one.ids():
                fresh.pop(place, None)
        elif one is None:
            fresh.clear()
        elif one.kind == "step":
            for place, grad in one.pairs():
                if grad in ("some", "nan") and fresh.setdefault(place, one.of) != one.of:
                    turns.setdefault(place, []).extend((fresh[place], one.of))
    makers = {act.of: act for act in run.of("optimizer")}
    for act in run.of("step"):
        several = sorted(place for place in {*act.places} if act.places.count(place) > 1)
        if several and (maker := makers.get(act.of)):
            fields = run.named(several)
            yield Finding("optimizer", Severity.WRONG, maker.line, maker.step, None, "repeated", fields)
            return
    shared = [place for place, found in turns.items() if len(found) > 2]
    pairs = [makers[of] for of in sorted({*turns[shared[0]]}) if of in makers] if shared else []
    if len(pairs) > 1:
        last = pairs[-1]
        yield Finding("optimizer", Severity.NOTE, last.line, last.step, None, "twice", run.named(shared))
