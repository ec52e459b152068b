"""The iterations and calls of a run, and which of them only repeat what has nothing to do with gradients."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, pairwise

from weaver.recording.model import Step
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.passes import is_training, prepares

Loop = list[range]  # one run of a loop: the steps of each iteration
LONG = 4  # steps of a call that's left out: a gap takes room as well
ALIKE = 2  # calls, or iterations, that have nothing to do with gradients, are kept of those that are alike


def loops(steps: Sequence[Step], among: range | None = None, level: int = 0) -> Iterator[tuple[int, Loop]]:
    """Yield each run of a loop with the number of loops around it, outer loops first."""
    among = range(len(steps)) if among is None else among
    at = among.start
    while at < among.stop:
        if len(steps[at].loops) <= level:
            at += 1
            continue
        (line, last), starts = steps[at].loops[level], [at]
        while at < among.stop and len(steps[at].loops) > level:
            now, iteration = steps[at].loops[level]
            if now != line or iteration < last:
                break
            if iteration > last:
                starts.append(at)
            last, at = iteration, at + 1
        found = [range(*ends) for ends in pairwise([*starts, at])]
        yield level, found
        for one in found:
            yield from loops(steps, one, level + 1)


def calls(steps: Sequence[Step]) -> Iterator[range]:
    """Yield the steps inside of each line that called something of the program's."""
    begins: list[int] = []  # for each step, where what's inside it begins
    for at, step in enumerate(steps):
        begin = at
        while begin and steps[begin - 1].depth > step.depth:
            begin = begins[begin - 1]
        begins.append(begin)
        if begin < at:
            yield range(begin, at)


def has_called(steps: Sequence[Step], at: int) -> bool:
    """Tell whether the line of a step called something of the program's, whose steps come before it."""
    return at > 0 and steps[at - 1].depth > steps[at].depth


def begin(steps: Sequence[Step], at: int) -> int:
    """Return the first step inside of what the line of a step called, or that step."""
    depth = steps[at].depth
    while at and steps[at - 1].depth > depth:
        at -= 1
    return at


def repeated(steps: Sequence[Step], seen: Collection[int]) -> set[int]:
    """Return the steps of calls and iterations like others before, in which no gradient has a part.

    Before the first backward pass, so are calls in which leaves are made and initialized on the same lines.
    Those `seen` and the last step are none of them; and none is in a program without gradients.
    """
    training = [*map(is_training, steps)]
    sums = [0, *accumulate(training)]
    if not sums[-1]:
        return set()
    begun = next((at for at, step in enumerate(steps) if step.events), 0)
    setup = {at for at, step in enumerate(steps[:begun]) if prepares(step.before or {}, step.tensors)}
    news = [is_new and at not in setup for at, is_new in enumerate(training)]
    sums_of_news = [0, *accumulate(news)]
    found = [one for _, loop in loops(steps) for one in loop[ALIKE:-1] if sums[one.stop] == sums[one.start]]
    times = Counter[tuple[int, str | None, frozenset[int]]]()  # of a function, by its first line that runs
    for inside in calls(steps):
        again = set[int]()
        for (line, function), one in _each(steps, inside):
            is_still = sums[one.stop] == sums[one.start]
            lines = frozenset(() if is_still else (steps[at].line for at in one))
            times[line, function, lines] += 1
            again.update(one if times[line, function, lines] > ALIKE else ())
        runs = (one for one in _runs(again) if len(one) >= LONG)
        found += [one for one in runs if sums_of_news[one.stop] == sums_of_news[one.start]]
    points = {*seen, len(steps) - 1}
    return {at for one in found if points.isdisjoint(one) for at in one}


def _each(steps: Sequence[Step], inside: range) -> Iterator[tuple[tuple[int, str | None], range]]:
    """Yield each call inside a line, with the line it begins with: torch may call a function many times."""
    depth = min(steps[at].depth for at in inside)
    firsts: dict[str | None, int] = {}
    begin = end = inside.start
    now = None
    for at in inside:
        if steps[at].depth > depth:
            continue
        line, function = steps[at].line, steps[at].function
        if line == firsts.setdefault(function, line):
            if now:
                yield now, range(begin, end)
            begin, now = end, (line, function)
        end = at + 1
    if now:
        yield now, range(begin, inside.stop)


def _runs(places: Collection[int]) -> list[range]:
    """Return places as ranges without a break."""
    found: list[range] = []
    for at in sorted(places):
        if found and found[-1].stop == at:
            found[-1] = range(found[-1].start, at + 1)
        else:
            found.append(range(at, at + 1))
    return found
