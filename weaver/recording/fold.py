"""Keeps a run within so many steps."""

from collections.abc import Collection
from dataclasses import dataclass

from weaver.recording.model import Gap, Step
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.thinning import thinned


@dataclass(slots=True)
class KeptStep:
    """A recorded step: its number among all, where its output lies, and the iterations that it is in.

    `path` has the loops around it, outermost first, through all functions: (which run of which loop,
    its line, the iteration). `runs` of the engine had begun when it ended.
    """

    number: int
    start: int
    end: int
    path: tuple[tuple[int, int, int], ...]
    step: Step
    runs: int


@dataclass(slots=True)
class LeftOut:
    """How many steps were left out in one place, `recorded` of them, and where what they printed lies."""

    steps: int
    start: int
    end: int
    recorded: int = 0


class Steps:
    """The steps of a run, at most about `limit` of them."""

    def __init__(self, limit: int):
        self.limit = limit
        self.kept: list[KeptStep] = []
        self.left: dict[int, LeftOut] = {}  # number of the step after -> what is missing before it

    def add(self, one: KeptStep) -> bool:
        """Add a step; tell whether others had to go for it."""
        self.kept.append(one)
        if len(self.kept) <= self.limit * 5 // 4:
            return False
        self.shrink(self.limit)
        return True

    def leave(self, steps: int, start: int, end: int, number: int) -> None:
        """Note that steps before the one with this number were not even recorded."""
        if steps or start < end:
            self._merge(number, LeftOut(steps, start, end))

    def _merge(self, number: int, left: LeftOut) -> None:
        if known := self.left.get(number):
            ends = min(known.start, left.start), max(known.end, left.end)
            left = LeftOut(known.steps + left.steps, *ends, known.recorded + left.recorded)
        self.left[number] = left

    def shrink(self, limit: int, numbers: Collection[int] = ()) -> None:
        """Leave steps out until there are at most `limit`, but none of these `numbers`."""
        seen = [place for place, one in enumerate(self.kept) if one.number in numbers]
        kept = set(thinned([one.step for one in self.kept], [1] * len(self.kept), max(limit, 2), seen))
        self._drop(set(range(len(self.kept))) - kept)

    def _drop(self, places: set[int]) -> None:
        kept, waiting = [], []
        for place, one in enumerate(self.kept):
            left = self.left.pop(one.number, None)
            if left:
                waiting.append(left)
            if place in places:
                waiting.append(LeftOut(1, one.start, one.end, 1))
                continue
            for left in waiting:
                self._merge(one.number, left)
            waiting.clear()
            kept.append(one)
        self.kept = kept


def gap(left: LeftOut, before: KeptStep | None, after: KeptStep, printed: str) -> Gap:
    """Return what was left out between two steps, with the innermost loop that both are in."""
    earlier = {run: iteration for run, _, iteration in before.path} if before else {}
    shared = [(line, now - earlier[run] - 1) for run, line, now in after.path if now > earlier.get(run, now)]
    line, iterations = shared[-1] if shared else (None, 0)
    runs = after.runs - started(after.step) - (before.runs if before else 0)
    return Gap(left.steps, printed, line, max(iterations, 0), left.recorded, runs)


def started(step: Step) -> int:
    """Return how many runs of the engine started in a step."""
    return len({event.run for event in step.events if event.kind == "start"})
