"""The kinds of findings, one per file: each is a function from a run to its findings."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain

from weaver.recording.fold import KeptStep
from weaver.why.finding import Finding, Severity
from weaver.why.findings import (
    accumulates,
    alias,
    aside,
    asked,
    attribute,
    average,
    blocked,
    borrowed,
    boxed,
    broadcast,
    clip,
    columns,
    constant,
    custom,
    cut,
    drift,
    edited,
    error,
    freed,
    frozen,
    growing,
    hollow,
    hook,
    hooked,
    in_place,
    inference,
    kept,
    lent,
    mode,
    nan,
    no_gradient,
    normed,
    not_started,
    number,
    optimizer,
    reached,
    recurrence,
    redrawn,
    remade,
    retain,
    same,
    shared,
    softmax,
    step,
    straight,
    target,
    terms,
    trained,
    twice,
    uninitialized,
    unused_input,
    unused_part,
    used_up,
    zero,
)
from weaver.why.run import WatchedRun

FINDINGS: tuple[Callable[[WatchedRun], Iterator[Finding]], ...] = tuple(
    one.find
    for one in (
        in_place,
        freed,
        inference,
        not_started,
        no_gradient,
        aside,
        asked,
        unused_input,
        unused_part,
        number,
        constant,
        boxed,
        columns,
        nan,
        accumulates,
        lent,
        step,
        hollow,
        optimizer,
        twice,
        frozen,
        recurrence,
        redrawn,
        remade,
        shared,
        custom,
        uninitialized,
        attribute,
        drift,
        alias,
        kept,
        same,
        borrowed,
        average,
        target,
        zero,
        growing,
        broadcast,
        softmax,
        mode,
        clip,
        used_up,
        hook,
        retain,
    )
)

ALIKE = 3  # facts about a line that are told
RAISES = nullcontext()


def _placed(run: WatchedRun, one: Finding) -> Finding:
    """Return a finding with a step that was kept: its own, the first of its line, or the last of all."""
    if one.step >= 0:
        return one
    same = (index for index, step in enumerate(run.steps) if step.line in (one.line, one.at))
    return replace(one, step=next(same, len(run.steps) - 1))


def placed(one: Finding, numbers: Sequence[int], kept: Sequence[KeptStep]) -> Finding:
    """Return a finding in a run of which fewer steps were `kept` than there were, with these `numbers`.

    Its step is its own, else the nearest of its line, else the one after it.
    """
    number = numbers[one.step]
    same = (at for at, step in enumerate(kept) if step.step.line in (one.line, one.at))
    nearest = sorted(same, key=lambda at: abs(kept[at].number - number))
    own = (at for at, step in enumerate(kept) if step.number == number)
    after = (at for at, step in enumerate(kept) if step.number > number)
    return replace(one, step=next(chain(own, nearest, after), len(kept) - 1))


def find(run: WatchedRun, guard: AbstractContextManager = RAISES) -> list[Finding]:
    """Return all findings in a run, the worst first, and of those the earliest, each with those like it.

    Each way to find one runs within the `guard`, so that one that fails needn't lose what others find.
    """
    found: list[Finding] = []
    for one in FINDINGS:
        with guard:
            found += (_placed(run, finding) for finding in one(run))
    if not any(one.severity is Severity.FAILS for one in found):
        with guard:
            found += error.find(run)
    if not run.trace.error:  # what failed was caught
        found = [_caught(one) for one in found]
    causes = {"no_gradient", "step", "optimizer"}  # which say more
    if any(one.name in causes and one.severity is Severity.WRONG for one in found):
        follow = {("hollow", "step"), ("hollow", ""), ("clip", "nothing"), ("constant", "part")}
        found = [one for one in found if (one.name, one.case) not in follow]
    found = [one for one in found if not _is_remade(run, one, found)]
    idle = {"apart", "unused"}  # what nothing uses does the least harm
    first: dict[tuple[str, ...], int] = {}  # what's said of several lines -> the first step of these
    for finding in sorted(found, key=lambda one: one.step):
        first.setdefault(_said(finding), finding.step)
    ranks = [*Severity].index
    return sorted(found, key=lambda one: (ranks(one.severity), one.case in idle, first[_said(one)], one.step))


def _is_remade(run: WatchedRun, one: Finding, found: Sequence[Finding]) -> bool:
    """Tell whether a line that makes parameters of what it computes explains why an optimizer's are old."""
    last = ".".join(one.fields.get("name", "").split(".")[-2:])
    makers = (run.text(other.line) for other in found if other.case == "parameter")
    return (one.name, one.case) == ("optimizer", "replaced") and any(last in text for text in makers)


def _said(one: Finding) -> tuple[str, ...]:
    return one.severity, one.name, one.case, str(one.at), *one.fields.values()


def _caught(one: Finding) -> Finding:
    return replace(one, severity=Severity.NOTE) if one.severity is Severity.FAILS else one


def find_with_facts(run: WatchedRun, guard: AbstractContextManager = RAISES) -> list[Finding]:
    """Return all findings in a run, and after them what it trains: what's held and frozen, and each pass."""
    found, facts = find(run, guard), list[Finding]()
    with guard:
        facts += map(partial(_placed, run), _facts(run))
    known = {_about(one) for one in found}  # what a finding says already
    cuts = {one.line for one in found if one.name in ("no_gradient", "constant")}
    known |= {(line, case, None) for line in cuts for case in ("cut", "unrecorded")}
    if any(one.name == "optimizer" for one in found):
        facts = [one for one in facts if one.case != "left_reached"]
    return [*found, *_few([one for one in facts if _about(one) not in known])]


def _about(one: Finding) -> tuple[int, str, str | None]:
    return one.line, one.case, one.fields.get("name")


def _facts(run: WatchedRun) -> Iterator[Finding]:
    kinds = reached, terms, cut, straight, blocked, hooked, edited, normed
    of_passes = chain.from_iterable(one.find(run) for one in kinds)
    yield from trained.find(run)
    yield from sorted(of_passes, key=lambda one: one.step)  # what's said of a line is together


def _few(facts: list[Finding]) -> Iterator[Finding]:
    """Yield facts, of those alike about a line the first different ones and how many more there are."""
    alike: dict[tuple[int, str], list[Finding]] = {}
    for one in facts:
        alike.setdefault((one.line, one.case), []).append(one)
    for several in alike.values():
        different = [*{(*one.fields.values(),): one for one in reversed(several)}.values()][::-1]
        shown = different if len(different) <= ALIKE + 1 else different[:ALIKE]
        yield from shown
        if more := len(several) - len(shown):
            yield replace(shown[-1], case="more", fields={"n": str(more)}, is_least=False)
