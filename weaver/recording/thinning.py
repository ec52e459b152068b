"""Chooses what a run that's too long loses: first what has nothing to do with gradients and comes again and
again, then whole iterations, then whole calls, single steps last.
"""

from bisect import bisect
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate

from weaver.recording.model import Step
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.passes import caller, first_of_lines, first_training, first_update, kinds, reached
from weaver.recording.repeated import Loop, calls, loops, repeated

Costs = Sequence[int]  # of steps
MOST = 0.75  # of the room is for the first iteration with a backward pass and those around it,
ALONE = 0.9  # or for it alone
HEAVY = 0.3  # of the room: a step that takes more, as its line called the engine often, loses its nodes
WHOLE = 0.88  # of the room, if there are more iterations: the rest is for the lines of those that went
BRIEF = 12  # such iterations


def thinned(
    steps: Sequence[Step], costs: Costs, most: float, seen: Collection[int] = (), light: Costs = ()
) -> dict[int, bool]:
    """Return the steps to keep, which cost at most `most`, if the last ones and those `seen` don't cost more.

    With each comes whether it's kept without the nodes that the engine ran in it, which costs as in `light`.

    Calls and iterations in which nothing that requires grad changes go first, but the first ones of each
    function and loop. Then iterations go: those in the middle of a loop's run, then the last ones; then
    what's inside calls. If more went than had to, whole iterations with a backward pass come back as long as
    there's room. The first iteration with a backward pass, and an update if there is one, stays, or the first
    of its loop in which most leaves get a gradient that isn't 0; and if there's room, one with each other
    kind of pass, and those with the steps `seen` and with the last step. Of some of those that went, the
    lines that aren't inside calls or further loops stay.
    """
    return _Thinning(steps, costs, most, seen, light or costs).run()


class _Thinning:
    def __init__(self, steps: Sequence[Step], costs: Costs, most: float, seen: Collection[int], light: Costs):
        self.steps, self.costs, self.light = steps, [*costs], light
        self.brief = set[int]()  # steps without the nodes that the engine ran in them
        self.cost, self.gone = sum(costs), [False] * len(steps)
        self.points = [*seen, len(steps) - 1]
        self.loops, self.calls = [one for _, one in loops(steps)], list(calls(steps))
        self.runs = [0, *accumulate(any(one.kind == "start" for one in step.events) for step in steps)]
        self.room, self.most = most, most * (WHOLE if self.runs[-1] > 1 else 1)
        self.dull = repeated(steps, seen) if self.cost > most else set()
        for at in self.dull:
            self._drop(range(at, at + 1))
        self.first = self._telling(first_training(steps))
        if self.cost > most:
            self._shed(at for at, cost in enumerate(costs) if cost > HEAVY * most)
            self._shed(self._again())
        self._add_up()
        self.loops.sort(key=lambda one: -self._cost(_whole(one)))
        self.calls.sort(key=lambda one: -self._cost(one))

    def run(self) -> dict[int, bool]:
        dropped = []
        self._lighten()
        first = self._held()
        self.most = max(self.most, min(self.room, sum(self._cost(range(at, at + 1)) for at in first)))
        for held in (first, {*self.points}):
            for one in self._units(held):
                if self.cost <= self.most:
                    break
                if held.isdisjoint(one):
                    self._drop(one)
                    if len(one) > 1:
                        dropped.append(one)
        self._restore(dropped[::-1])
        outer = self._outer()
        self.brief |= outer
        found = {at: at in self.brief for at, gone in enumerate(self.gone) if not gone or at in outer}
        # The lines that called the engine stay, too: else others would be told for them
        starts = ((at, one) for at in found for one in self.steps[at].events if one.kind == "start")
        callers = {caller(self.steps, at, one): True for at, one in starts}
        return dict(sorted({**callers, **found}.items()))

    def _lighten(self) -> None:
        """Leave out the nodes of the first iteration with a pass, if that doesn't fit with them."""
        if self.first is None or not (around := self._iterations(self.first)):
            return
        light = sum(self.light[at] for at in around[-1] if not self.gone[at])
        if self._cost(around[-1]) > ALONE * self.room and light <= MOST * self.room:
            self._shed(at for at in around[-1] if self.steps[at].events)
            self._add_up()

    def _shed(self, places: Iterable[int]) -> None:
        """Leave out the nodes that the engine ran in some steps."""
        for at in places:
            self.brief.add(at)
            self.cost -= 0 if self.gone[at] else self.costs[at] - self.light[at]
            self.costs[at] = self.light[at]

    def _again(self) -> Iterator[int]:
        """Yield the later passes of lines, if an earlier one shows how nodes pass gradients on."""
        shown = {self.first, *kinds(self.steps), *self.points}
        lines = {self.steps[at].line for at in shown if at is not None}
        for at, step in enumerate(self.steps):
            if at not in shown and step.line in lines and self.runs[at + 1] > self.runs[at]:
                yield at

    def _add_up(self) -> None:
        """Add up the costs of the steps that are there."""
        kept = (0 if gone else cost for gone, cost in zip(self.gone, self.costs, strict=True))
        self.sums = [0, *accumulate(kept)]

    def _outer(self) -> set[int]:
        """Return the lines of iterations with a pass that went, the last one first."""
        gone = [one for loop in self.loops for one in loop if self._is_with_pass(one) and self._is_gone(one)]
        inner = [one for one in gone if not any(_is_inside(other, one) for other in gone)]
        found = set[int]()
        inner.sort(key=lambda one: one.start)
        for one in (*inner[-1:], *inner[:-1][:BRIEF]):
            lines = self._lines(one)
            cost = sum(self.light[at] for at in lines)
            if self.cost + cost <= self.room:
                self.cost += cost
                found.update(lines)
        return found

    def _lines(self, one: range) -> list[int]:
        """Return the steps of an iteration that are as deep as its pass at most, and in no further loop."""
        first = next(at for at in one if self.runs[at + 1] > self.runs[at])
        depth, level = self.steps[first].depth, len(self.steps[first].loops)
        return [at for at in one if self.steps[at].depth <= depth and len(self.steps[at].loops) <= level]

    def _is_with_pass(self, one: range) -> bool:
        return self.runs[one.stop] > self.runs[one.start]

    def _is_gone(self, one: range) -> bool:
        return all(self.gone[one.start : one.stop])

    def _restore(self, units: Sequence[range]) -> None:
        """Bring back iterations with a backward pass that went within some units, in their order."""
        iterations = [one for loop in self.loops for one in loop if self._is_with_pass(one)]
        for unit in units:
            within = (one for one in iterations if unit.start <= one.start and one.stop <= unit.stop)
            for one in within:
                if self._is_gone(one) and self.cost + self._cost(one) <= self.most:
                    self._drop(one, back=True)
        self._fill()

    def _fill(self) -> None:
        """Bring back what went of iterations that are there in part: whole calls, then outer steps first."""
        innermost: dict[int, range] = {}
        for one in sorted((one for loop in self.loops for one in loop), key=len, reverse=True):
            innermost.update(dict.fromkeys(one, one))
        everything = range(len(self.steps))
        singles = sorted(everything, key=lambda at: self.steps[at].depth)
        for unit in (*self.calls, *(range(at, at + 1) for at in singles)):
            around = innermost.get(unit.start, everything)
            fits = self.cost + self._cost(unit) <= self.most
            if fits and self._is_gone(unit) and not self._is_gone(around):
                self._drop(unit, back=True)

    def _cost(self, of: range) -> int:
        return self.sums[of.stop] - self.sums[of.start]

    def _drop(self, one: range, back: bool = False) -> None:
        for at in one:
            if self.gone[at] is back and not (back and at in self.dull):
                self.cost += self.costs[at] * (1 if back else -1)
                self.gone[at] = not back

    def _held(self) -> set[int]:
        """Return the steps that stay as long as possible: iterations with each kind of pass, else calls."""
        held = set() if self.first is None else {*self._unit(self.first)}
        cost = sum(self._cost(range(at, at + 1)) for at in held)
        for point in (*first_update(self.steps), *kinds(self.steps), *self.points):
            around = [*self._iterations(point)[-1:], *(one for one in self.calls if point in one)]
            fits = (one for one in around if cost + self._cost(one) <= ALONE * self.room)
            if point not in held and (unit := next(fits, None)):
                held.update(unit)
                cost += self._cost(unit)
        shown = {self.steps[at].line for at in held}
        for point in first_of_lines(self.steps):
            if self.steps[point].line in shown:
                continue
            inner = [one for one in self.calls if point in one][-1:] + self._iterations(point)[-1:]
            fits = (one for one in inner if cost + self._cost(one) <= MOST * self.room)
            unit = next(fits, range(point, point + 1))
            shown.update(self.steps[at].line for at in unit)
            cost += sum(self._cost(range(at, at + 1)) for at in unit if at not in held)
            held.update(unit)
        return held.union(self.points)

    def _telling(self, first: int | None) -> int | None:
        """Return a step of the engine in the first iteration in which most leaves' gradients aren't 0.

        In the very first one, parts that begin with zeros may keep gradients from all others.
        """
        around = self._iterations(first)[-1:] if first is not None else []
        loop = next((loop for loop in self.loops if around and around[0] in loop), [])
        later = [one for one in loop if one.start >= around[0].start and self._is_with_pass(one)]
        counts = {one: len(reached(self.steps[one.start : one.stop])) for one in later}
        full = (one for one, count in counts.items() if 2 * count > max(counts.values()))
        found = next(full, None)
        if found is None or found == around[0]:
            return first
        return next(at for at in found if self.runs[at + 1] > self.runs[at])

    def _unit(self, at: int) -> range:
        """Return what is kept around a step of the engine."""
        around = self._iterations(at)
        fits = [one for one in around if self._cost(one) <= MOST * self.room]
        fits += [one for one in around[-1:] if self._cost(one) <= ALONE * self.room]
        fits += [one for one in self.calls if at in one and self._cost(one) <= MOST * self.room]
        return fits[0] if fits else range(at, at + 1)

    def _iterations(self, at: int) -> list[range]:
        """Return the iterations around a step, outermost first."""
        found = [one for loop in self.loops if at in _whole(loop) for one in loop if at in one]
        return sorted(found, key=len, reverse=True)

    def _units(self, held: set[int]) -> Iterator[range]:
        """Yield what may go, first what's missed least."""
        for loop in self.loops:
            inner = loop[1:-2]  # the last is often but the header, which finds that there's nothing more
            yield from sorted(inner, key=lambda one: abs(one.start - inner[len(inner) // 2].start))
        for loop in self.loops:
            yield from (one for one in loop[::-1] if len(one) > 1 or one is not loop[-1])
        yield from self.calls
        near = sorted({0, *held})
        places = sorted(range(len(self.steps)), key=lambda at: -_distance(at, near))
        yield from (range(at, at + 1) for at in places)


def _is_inside(one: range, other: range) -> bool:
    return one != other and other.start <= one.start and one.stop <= other.stop


def _whole(loop: Loop) -> range:
    return range(loop[0].start, loop[-1].stop)


def _distance(at: int, near: list[int]) -> int:
    """Return how far a step is from the nearest of some others, which are in order."""
    place = bisect(near, at)
    return min(abs(at - one) for one in near[max(place - 1, 0) : place + 1])
