"""One call of a function of the program, as far as it has come."""

from dataclasses import dataclass
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import CodeType, FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from weaver.recording.engine import TraceFunction
from weaver.recording.flow import States
from weaver.recording.hooks import drop_uncounted
from weaver.recording.nodes import Turn
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import class_name, error_line
from weaver.recording.torch_private import not_compiled

if TYPE_CHECKING:
    from weaver.recording.stepper import Stepper

EVERYWHERE, NOWHERE = (0, 1 << 30), (1, 0)  # spans of lines
QUIET_ENDS = ("StopIteration", "StopAsyncIteration", "GeneratorExit")  # how loops and generators end

Iterations = tuple[tuple[int, int, int], ...]  # as in `KeptStep.path`


@dataclass(slots=True)
class LoopAround:
    """A loop that a line is in: its first and last line, the number of its run, the iteration."""

    span: tuple[int, int]
    run: int
    iteration: int = 0


class Frame:
    """One call of one of the program's functions, as far as it has come."""

    def __init__(self, stepper: "Stepper", code: CodeType, before: States | None):
        function = code.co_name
        self.stepper, self.is_lambda = stepper, function == "<lambda>"
        self.function = None if function == "<module>" else function
        # The line where its code begins: a loop around the definition isn't one around what it runs
        self.first = -1 if function == "<module>" else code.co_firstlineno
        self.turn: Turn = [-1]  # of the statement that runs
        self.depth = 0
        self.outer: Iterations = ()
        self.given: tuple[str, ...] = ()  # what its arguments lead to and its caller has no name for
        self.is_fresh = True  # no line has begun
        self.line: int | None = None  # of the statement that runs
        self.left: int | None = None  # of the one that gave the word away
        self.start = self.last = -1  # where its code, and the code of the line before, begins
        self.before = before  # the facts before the statement that runs; None where they aren't known
        self.loops: list[LoopAround] = []  # outermost first
        self.raised: str | None = None
        self.resumed = False
        self.span = EVERYWHERE  # the lines of the outermost loop
        self.follow: TraceFunction = self.trace  # bound once

    def path(self) -> Iterations:
        """Return the iterations that it is in: run of a loop, its line, number of the iteration."""
        return (*self.outer, *((loop.run, loop.span[0], loop.iteration) for loop in self.loops))

    def loop_lines(self) -> tuple[tuple[int, int], ...]:
        """Return the lines of the loops around it, in all functions, and their iterations."""
        return tuple((line, iteration) for _, line, iteration in self.path())

    @not_compiled
    def trace(self, frame: FrameType, event: str, argument: Any) -> TraceFunction | None:
        """Be called by Python for each line, error and end of the frame."""
        try:
            return self._trace(frame, event, argument)
        except Exception as error:
            self.stepper.engine.fail(error)
            return None

    def _trace(self, frame: FrameType, event: str, argument: Any) -> TraceFunction:
        if event == "line":
            if not (self.stepper.skipping and self._passes_over(frame.f_lineno)):
                self._on_line(frame)
        elif event == "exception":
            self._on_error(*argument)
        elif event == "return":
            if self.stepper.skipping and not self.depth:
                self._look_again()
            self.left = self.line
            self._end(frame, argument if self.depth else None)
            self.stepper.stack.remove(self)
            self.stepper.weigh(self.stepper.stack[-1] if self.stepper.stack else self)
            if self.stepper.stack:
                self.stepper.clock.mark(self.stepper.stack[-1].turn)
        return self.follow

    def _passes_over(self, line: int) -> bool:
        """Count a line while nothing is recorded, as fast as may be; tell whether it is still so.

        Of a loop, the iterations 1, 2, 4, 8, ... are watched again.
        """
        low, high = self.span
        if not low <= line <= high:
            if not self.depth:
                self._look_again()
            return False
        if line == low and self.loops:
            loop = self.loops[0]
            if not self.outer and not loop.iteration & (loop.iteration + 1):
                self.stepper.sample = ((loop.run, low, loop.iteration + 1),)
                self.stepper.skip(False)
                self.line, self.loops = None, self.loops[:1]
                return False
            loop.iteration += 1
        self.stepper.skipped += 1
        self.before = None
        return True

    def _look_again(self) -> None:
        """Make a step of the end of a loop that was passed over: what it left is the state from there on."""
        self.stepper.skip(False)
        self.line, self.loops = self.span[0], self.loops[:1]

    def _on_line(self, frame: FrameType) -> None:
        number, at = frame.f_lineno, frame.f_lasti
        line = number if self.is_lambda else self.stepper.lines.first(number)
        if line is None:  # of a file without a statement
            return
        back, self.last = at <= self.last, at
        again = at <= self.start or (back and line in self.stepper.lines.short_loops)
        if line == self.line and not again:  # another line of the same statement
            return
        self._end(frame)
        self.line = self.stepper.line = line
        self.start = at
        self._around(line, back)
        self.begin(frame)

    def begin(self, frame: FrameType) -> None:
        """Take what's there now as what was there before the line, if no step was just noted in the frame."""
        if (self.before is None or self.resumed) and not self.stepper.skipping:
            self.before, new = self.stepper.look(frame)
            if self.is_fresh:
                own = arguments(frame.f_code)
                self.given = tuple(name for name in self.before if name in new and _root(name) in own)
        self.is_fresh = False
        self.turn = [-1]
        self.stepper.clock.mark(self.turn)

    def _around(self, line: int, back: bool) -> None:
        """Note which loops hold the line, and which iteration begins."""
        spans = [span for span in self.stepper.lines.loops_around(line) if span[0] > self.first]
        held = [loop for loop in self.loops if loop.span in spans]
        changed = len(held) < len(self.loops)
        if back and held and len(held) == len(spans):
            held[-1].iteration += 1
            changed = True
        for span in spans[len(held) :]:
            held.append(LoopAround(span, next(self.stepper.runs)))
        self.loops = held
        self.span = held[0].span if held else EVERYWHERE if self.depth else NOWHERE
        if changed:
            self.stepper.weigh(self)

    def _on_error(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        drop_uncounted(trace)
        if class_name(kind) not in QUIET_ENDS:
            self.raised = error_line(error)

    def _end(self, frame: FrameType, returned: object = None) -> None:
        if self.line is not None and self.line not in self.stepper.lines.silent:
            self.stepper.finish(frame, self, self.line, returned)
        self.line, self.raised, self.resumed = None, None, False


def arguments(code: CodeType) -> tuple[str, ...]:
    """Return the names of a function's arguments."""
    several = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + several]


def _root(name: str) -> str:
    return name.partition(".")[0].partition("[")[0]
