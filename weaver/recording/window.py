"""Decides which part of a run is watched: all of it, what was asked for, or what the budget allows.

The budget is counted in looks at tensors, not timed: what a recording shows doesn't depend on the machine.
When it's spent, watching goes on to the end of the iteration in which an optimizer steps for the first time.
Then whole iterations are watched, ever rarer ones, of the outermost loops that have an affordable iteration;
and what happens for the first time, a line that had not run or had not raised an error, is watched to the end
of its iteration, or of the one inside it in which an optimizer steps; where that's large, known loops in it
are only sampled. With a new optimizer, sampling starts over; and of a line whose first backward
pass nobody watched, the next iteration is watched. Before that, a loop in which nothing happens to
a gradient, such as one that prepares data, is watched for DULL iterations, then in ever rarer ones, and where
a run of it begins; and of a function that has nothing to do with gradients, such as a dataset's, or that only
makes and initializes leaves before the first pass, no further call is watched in an iteration that calls it
more than CALLS times, or once its calls have cost a SHARE of the budget.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from types import CodeType

from weaver.recording import facts
from weaver.recording.limits import PLACE, Limits
from weaver.recording.model import Note, Range, TensorState
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.torch_private import is_grad_enabled

Iterations = tuple[tuple[int, int, int], ...]  # as in `KeptStep.path`
DULL = 32  # iterations in a row in which nothing happens to a gradient, or, if none is trained, to a tensor
LATE = 2  # lines whose first pass isn't watched, and after which an iteration is, besides the first of all
RENEWED = 4  # times that sampling starts over with a new optimizer
CALLS = 8  # of a function in one iteration, if nothing in it requires grad
FREE = 0.25  # of the budget, in which every call is watched
SHARE = 0.1  # of the budget for a function's calls in which nothing requires grad, where something is trained
MOST = 4  # watching ends altogether when it has cost so many times the budget,
SAMPLED = 3  # watching what isn't new when it has cost so many times,
AWAITED = 2  # and waiting for the first step of an optimizer when it has cost so many times the budget,
# or as many times as what isn't new, where gradients are computed: its line is new then
States = dict[str, TensorState]
Call = tuple[CodeType, bool]  # a function, and whether operations are recorded where it's called


@dataclass(slots=True)
class Occurrence:
    """One run of a line of the main file, or one call of a function: number `time`, from 1.

    `seen` counts the runs or calls until now.
    """

    line: int | None
    function: str | None
    time: int = 1
    seen: int = 0

    def __str__(self) -> str:
        place = self.function or str(self.line)
        return place if self.time == 1 else f"{place}@{self.time}"

    def is_met(self, line: int | None, function: str | None) -> bool:
        """Tell whether it is now, given what is about to run: a line, or a function that's called."""
        if line != self.line or function != self.function:
            return False
        self.seen += 1
        return self.seen == self.time


def occurrence(text: str) -> Occurrence | None:
    """Return what `120`, `step` or `step@3` (the third call) stands for; None for anything else."""
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
        self.begun: float = facts.looks
        self.sample: Iterations | None = None  # the iteration that is watched although the budget is spent,
        self.until = inf  # and until how many looks; what's new may come in an iteration that costs a lot
        # whether there's an optimizer, and none has stepped
        self.awaits_step: Callable[[], bool] = lambda: False
        self.counts: dict[int, int] = {}  # a loop's line -> iterations that have begun
        self.costs: dict[int, int] = {}  # a loop's line -> looks at its costliest iteration
        self.backward: Iterations = ()  # the iterations in which the last backward pass was
        self.is_late = False  # whether that wasn't watched, nor an iteration after it
        self.met: set[int] = set()  # lines with a pass that was watched, or after which an iteration is
        self.late = 0  # how many of the latter there were after the first pass
        self.training: int | None = None  # the line of the loop in which an optimizer steps
        self.dull: dict[int, int] = {}  # a loop's line -> iterations since something happened to a tensor
        self.passed: Iterations | None = None  # the iteration that's passed over, as it's of such a loop
        self.calls: dict[Call, tuple[Iterations, int]] = {}  # how often a function was called in a path
        self.spent: dict[Call, int] = {}  # looks at the watched calls of a function
        self.open: list[tuple[int, Call, int]] = []  # such calls: depth, function, looks before
        self.renewed = 0
        self.trains: Callable[[], bool] = lambda: False  # whether the program's text has an optimizer
        self.trained: set[CodeType] = set()  # functions in which something that requires grad changed
        self.call: int | None = None  # the depth of the function that's passed over
        # lines that have run, lines that have raised an error, each before and after the last call of eval()
        self.known: set[tuple[int, bool, bool]] = set()
        self.is_evaluating: Callable[[], bool] = lambda: False
        self.nan_path: Iterations | None = None

    @property
    def is_spent(self) -> bool:
        """Whether the budget is."""
        return self._left(1) < 0

    def _left(self, times: int) -> float:
        """Return how many looks are left of so many times the budget, which grows with each new optimizer."""
        more = self.budget * self.renewed / RENEWED if times > 1 else 0
        return self.budget * times + more - (facts.looks - self.begun)

    def watches(self, path: Iterations, is_inside: bool) -> bool:
        """Tell whether to watch what comes in these iterations; it `is_inside` a function or a loop."""
        if self.is_part:
            return self.is_open
        if self.nan_path is not None:
            return is_within(path, self.nan_path)
        if self.call is not None:
            return False
        if self.passed is not None and is_within(path, self.passed):
            return False
        self.passed = None
        if not self.is_spent or not is_inside:
            return True
        if self.sample is not None and not (is_within(path, self.sample) and facts.looks <= self.until):
            self.sample = None
        if self.sample is not None:
            return self._left(MOST) >= 0
        is_training = bool(self.backward) and is_within(path, self.backward[:1])
        return self._left(SAMPLED if is_training else AWAITED) >= 0 and self.awaits_step()

    def begins(self, path: Iterations) -> None:
        """Decide whether to watch the iteration that begins, the last in the path."""
        line = path[-1][1]
        count = self.counts[line] = self.counts.get(line, -1) + 1
        is_turn = not count & (count + 1)  # the 1st, 2nd, 4th, 8th: a step after each 2nd or 4th is seen
        is_inner = self.is_spent and self.sample is not None and is_within(path, self.sample)
        is_due = not self.is_spent or (is_turn and self._left(SAMPLED) > 0)
        if is_due and not is_inner and self._unit(path) == path:
            self.sample, self.until = path, inf
        if self.sample == ():
            self.sample = path
        if self.is_late and [*map(_loop, path)] == [*map(_loop, self.backward)]:
            self.sample, self.until, self.is_late = path, facts.looks + self._left(MOST) / 2, False
        is_over = self.passed is None or not is_within(path, self.passed)  # what was passed over
        is_large = bool(self.sample and self.sample[-1][1] not in self.costs)
        if is_inner and is_large and is_over:  # it's watched as something in it is new; most of it isn't
            self.passed = path if line in self.costs and not is_turn else None
        is_limited = self.budget < inf and not self.is_spent
        if is_limited and is_over:
            dull = self.dull[line] = self.dull.get(line, 0) + 1
            is_first = not path[-1][2]  # of a run, which may be of another kind than those before
            self.passed = path if dull > DULL and not is_turn and not is_first else None

    def enters(self, code: CodeType, path: Iterations, depth: int) -> None:
        """Decide whether to watch a call of a function, which gets a depth."""
        if self.call is not None or self.budget == inf:
            return
        call = code, is_grad_enabled()  # a model that's called under no_grad() may be called to train it
        where, count = self.calls.get(call, (path, 0))
        if where != path and count <= CALLS:
            count = 0
        is_free = self._left(1) > self.budget * (1 - FREE)
        self.calls[call] = path, count + (not is_free)
        is_costly = self.trains() and self.spent.get(call, 0) > self.budget * SHARE
        if (is_costly or (count >= CALLS and not is_free)) and code not in self.trained:
            self.call = depth
        else:
            self.open.append((depth, call, facts.looks))

    def returns(self, depth: int) -> None:
        """Hear that the function of a depth has ended."""
        if self.call == depth:
            self.call = None
        while self.open and self.open[-1][0] >= depth:
            _, call, before = self.open.pop()
            self.spent[call] = self.spent.get(call, 0) + facts.looks - before

    def steps(self, path: Iterations) -> None:
        """Hear that a watched optimizer stepped in some iterations.

        The innermost that has a backward pass as well is watched to its end, and no more.
        """
        while not is_within(self.backward, path):
            path = path[:-1]
        sample = self.sample or ()
        is_whole = bool(sample) and sample[-1][1] in self.costs
        if path:
            self.training = path[-1][1]
            if self.is_spent and not is_whole and is_within(path, sample):
                self.sample = path

    def renews(self) -> None:
        """Hear that an optimizer is made: what it trains is sampled from its first iteration on."""
        if self.is_spent and self.renewed < RENEWED:
            self.renewed += 1
            self.counts.clear()

    def passes(self, path: Iterations, line: int) -> None:
        """Hear that a backward pass was watched in some iterations, called by a line."""
        self.backward = path
        self.met.add(line)

    def misses(self, path: Iterations, line: int | None) -> None:
        """Hear of a pass that isn't watched: if it's a line's first, the next iteration is, at any cost."""
        if line is not None and line not in self.met and (not self.backward or self.late < LATE):
            self.met.add(line)
            self.late += bool(self.backward)
            self.backward, self.is_late = path, bool(path)
            self.begun = max(self.begun, facts.looks - self.budget * (MOST - 1))

    def stirs(self, path: Iterations) -> None:
        """Hear that something happened to a tensor in some iterations."""
        for _, line, _ in path:
            self.dull[line] = 0

    @property
    def is_over(self) -> bool:
        """Whether nothing more is watched, whatever comes."""
        return self.nan_path is not None or (self.is_part and not self.is_open)

    def ends(self, line: int, looks: int) -> None:
        """Keep what an iteration cost that was watched whole: it decides which loops are affordable."""
        self.costs[line] = max(self.costs.get(line, 0), looks)

    def _unit(self, path: Iterations) -> Iterations | None:
        """Return the path to its outermost iteration that the budget can pay for twice, None for no such.

        Of an optimizer's loop, iterations are watched whole, or not at all.
        """
        for number, (_, line, _) in enumerate(path, 1):
            cost = self.costs.get(line, inf)
            if cost <= self.budget / 2 or (line == self.training and cost <= self._left(SAMPLED)):
                return path[:number]
            if line == self.training:
                break
        return None

    def runs(self, line: int, path: Iterations, raises: bool = False) -> None:
        """Watch the iteration if the line runs, or `raises` an error, for the first time."""
        if (now := (line, raises, self.is_evaluating())) not in self.known:
            self.known.add(now)
            self.passed = self.call = None
            if self.is_spent and (self.sample is None or not is_within(path, self.sample)):
                self.sample, self.until = self._unit(path) or path, facts.looks + self._left(MOST) / 2

    def reaches(self, line: int | None, function: str | None, depth: int) -> None:
        """Begin the part, or have it end with what begins, if that's the line or call asked for."""
        if self.start and self.start.is_met(line, function):
            self.is_open = True
        if self.end and self.end.is_met(line, function):
            self.closing = depth

    def leaves(self, depth: int) -> None:
        """End the part if what it ends with was this line or function of a depth."""
        if self.closing is not None and depth <= self.closing:
            self.is_open, self.closing = False, None

    def missed(self) -> list[Note]:
        """Return notes on the places where the part was to begin or end, and which were never reached."""
        asked = ("start", self.start), ("end", self.end)
        return [Note(why, text=str(one)) for why, one in asked if one and one.seen < one.time]

    def notes(
        self, state: dict[str, TensorState], before: dict[str, TensorState] | None, path: Iterations
    ) -> None:
        """Have watching end with this iteration if the state after a line has the first nan."""
        if not self.awaits_nan or self.nan_path is not None:
            return
        known = before or {}
        if any(has_nan(one) for name, one in state.items() if known.get(name) is not one):
            self.nan_path = path


def _loop(iteration: tuple[int, int, int]) -> int:
    return iteration[1]


def is_within(path: Iterations, outer: Iterations) -> bool:
    """Tell whether a path is an outer one or lies inside it."""
    return path[: len(outer)] == outer


def has_nan(state: TensorState) -> bool:
    """Tell whether a tensor has a nan."""
    value = state.value
    return bool(value.nan) if type(value) is Range else "nan" in repr(value) if value is not None else False
