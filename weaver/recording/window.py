"""Decides which part of a run is watched: all of it, what was asked for, or what the budget allows.

The budget is counted in looks at tensors, not timed: what a recording shows doesn't depend on the machine.
When it's spent, whole iterations are watched, ever rarer ones, of the outermost loops that have an affordable
iteration; and what happens for the first time, a line that had not run or had not raised an error, is watched
to the end of its iteration.
"""

from dataclasses import dataclass
from math import inf

from weaver.recording import facts
from weaver.recording.limits import PLACE, Limits
from weaver.recording.model import Range, TensorState
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401

Iterations = tuple[tuple[int, int, int], ...]  # as in `KeptStep.path`
MOST = 4  # times the budget that everything may cost which is watched
States = dict[str, TensorState]


@dataclass(slots=True)
class Occurrence:
    """The `time`th time, from 1, that a line runs or a function is called; `seen` counts them."""

    line: int | None
    function: str | None
    time: int = 1
    seen: int = 0

    def is_met(self, line: int | None, function: str | None) -> bool:
        """Tell whether it is now, given what is about to run: a line, or a function that's called."""
        if line != self.line or function != self.function:
            return False
        self.seen += 1
        return self.seen == self.time


def occurrence(text: str) -> Occurrence | None:
    """Return the place that `120`, `step` or, the third time it's called, `step@3` says; None for no such."""
    found = PLACE.fullmatch(text)
    if not found:
        return None
    line = int(found["line"]) if found["line"] else None
    return Occurrence(line, found["function"], int(found["time"] or 1))


class Window:
    """What of a run is watched, by its limits."""

    def __init__(self, limits: Limits):
        self.start, self.end = occurrence(limits.start), occurrence(limits.end)
        self.is_part = bool(self.start or self.end)
        self.is_open = not self.start
        self.closing: int | None = None  # the depth of the call with which the part ends
        self.awaits_nan = limits.first_nan
        self.budget: float = inf if self.is_part or self.awaits_nan or limits.looks is None else limits.looks
        self.begun = facts.looks
        self.sample: Iterations | None = None  # the iteration that is watched although the budget is spent
        self.counts: dict[int, int] = {}  # a loop's line -> iterations that have begun
        self.costs: dict[int, int] = {}  # a loop's line -> looks at its costliest iteration
        self.known: set[tuple[int, bool]] = set()  # lines that have run, lines that have raised an error
        self.nan_path: Iterations | None = None

    @property
    def is_spent(self) -> bool:
        """Whether the budget is."""
        return facts.looks - self.begun > self.budget

    def watches(self, path: Iterations, is_inside: bool) -> bool:
        """Tell whether to watch what comes in these iterations; it `is_inside` a function or a loop."""
        if self.is_part:
            return self.is_open
        if self.nan_path is not None:
            return path[: len(self.nan_path)] == self.nan_path
        if not self.is_spent or not is_inside:
            return True
        if self.sample is not None and path[: len(self.sample)] != self.sample:
            self.sample = None
        return self.sample is not None and facts.looks - self.begun <= self.budget * MOST

    def begins(self, path: Iterations) -> None:
        """Hear that an iteration begins, the last in the path: perhaps it's one to watch."""
        line = path[-1][1]
        count = self.counts[line] = self.counts.get(line, -1) + 1
        if (not self.is_spent or not count & (count - 1)) and self._unit(path) == path:
            self.sample = path

    @property
    def is_over(self) -> bool:
        """Whether nothing more is watched, whatever comes."""
        return self.nan_path is not None or (self.is_part and not self.is_open)

    def ends(self, line: int, looks: int) -> None:
        """Hear what an iteration of the loop at a line cost that was watched whole."""
        self.costs[line] = max(self.costs.get(line, 0), looks)

    def _unit(self, path: Iterations) -> Iterations | None:
        """Return the path to its outermost iteration that the budget can pay for twice, None for no such."""
        for number, (_, line, _) in enumerate(path, 1):
            if line in self.costs and self.costs[line] <= self.budget / 2:
                return path[:number]
        return None

    def runs(self, line: int, path: Iterations, raises: bool = False) -> None:
        """Hear that a line is about to run, or that it raised an error: what's new is watched."""
        if (line, raises) not in self.known:
            self.known.add((line, raises))
            if self.is_spent and self.sample is None:
                self.sample = self._unit(path) or path

    def reaches(self, line: int | None, function: str | None, depth: int) -> None:
        """Hear that a line of a depth, or a function called there, begins, and perhaps the part with it."""
        if self.start and self.start.is_met(line, function):
            self.is_open = True
        if self.end and self.end.is_met(line, function):
            self.closing = depth

    def leaves(self, depth: int) -> None:
        """Hear that a line or a function of a depth has ended, with which the asked part may end."""
        if self.closing is not None and depth <= self.closing:
            self.is_open, self.closing = False, None

    def notes(
        self, state: dict[str, TensorState], before: dict[str, TensorState] | None, path: Iterations
    ) -> None:
        """Hear of the state after a line: where the first nan is, watching ends with the iteration."""
        if not self.awaits_nan or self.nan_path is not None:
            return
        known = before or {}
        if any(_has_nan(one) for name, one in state.items() if known.get(name) is not one):
            self.nan_path = path


def _has_nan(state: TensorState) -> bool:
    value = state.value
    return bool(value.nan) if type(value) is Range else "nan" in repr(value) if value is not None else False
