"""One call of a function of the program, as far as it has come."""

from dataclasses import dataclass
from inspect import CO_VARARGS, CO_VARKEYWORDS
from opcode import opmap
from types import CodeType, FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from weaver.recording import facts
from weaver.recording.engine import TraceFunction
from weaver.recording.flow import NamedValues, States
from weaver.recording.hooks import drop_uncounted
from weaver.recording.nodes import Turn
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import class_name, error_line
from weaver.recording.torch_private import not_compiled
from weaver.recording.window import Iterations

if TYPE_CHECKING:
    from weaver.recording.stepper import Stepper

# What Python jumps back to for the next iteration, also where the whole loop is on one line
NEXT = opmap["FOR_ITER"], opmap["EXTENDED_ARG"]
QUIET_ENDS = "StopIteration", "StopAsyncIteration"  # how what a loop goes through ends


@dataclass(slots=True)
class LoopAround:
    """A loop that a line is in: its first and last line, the number of its run, the iteration."""

    span: tuple[int, int]
    run: int
    iteration: int = 0
    looks: int | None = None  # at tensors before the iteration, None if it isn't watched


class Frame:
    """One call of one of the program's functions, as far as it has come."""

    def __init__(self, stepper: "Stepper", code: CodeType, offset: int, before: States | None):
        function = code.co_name
        self.stepper, self.code, self.is_lambda = stepper, code, function == "<lambda>"
        self.function = None if function == "<module>" else function
        # The line where its code begins: a loop around the definition isn't one around what it runs
        self.first = -1 if function == "<module>" else code.co_firstlineno + offset
        self.offset = offset
        self.turn: Turn = [-1]  # of the statement that runs
        self.depth = 0
        self.outer: Iterations = ()
        self.begun = 0  # how many steps there were before the statement that runs
        self.given: tuple[str, ...] = ()  # what its arguments lead to and its caller has no name for
        self.is_fresh = True  # no line has begun
        self.line: int | None = None  # of the statement that runs
        self.left: int | None = None  # of the one that gave the word away
        self.start = self.last = -1  # where its code, and the code of the line before, begins
        self.before = before  # the facts before the statement that runs; None where they aren't known
        self.values: NamedValues = {}  # where numbers and arrays before it came from
        self.loops: list[LoopAround] = []  # outermost first
        self.raised: str | None = None
        self.resumed = False
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
            self._on_line(frame)
        elif event == "exception":
            self._on_error(*argument)
        elif event == "return":
            if self.stepper.skipping and self.loops and not self.depth and not self.raised:
                self._look_again()
            self.left = self.line
            self._end(frame, argument if self.depth else None)
            self.stepper.stack.remove(self)
            self.stepper.window.leaves(self.depth)
            self.stepper.window.returns(self.depth)
            self.stepper.weigh(self.stepper.stack[-1] if self.stepper.stack else self)
            if self.stepper.stack:
                self.stepper.clock.mark(self.stepper.stack[-1].turn)
        return self.follow

    def _look_again(self) -> None:
        """Make a step of the end of a loop that was passed over: what it left is the state from there on."""
        if not self.stepper.window.is_over:
            self.stepper.skip(False)
            self.line, self.loops = self.loops[0].span[0], self.loops[:1]

    def _on_line(self, frame: FrameType) -> None:
        number, at = frame.f_lineno + self.offset, frame.f_lasti
        line = number if self.is_lambda else self.stepper.lines.first(number)
        if line is None:  # of a file without a statement
            return
        back, self.last = at <= self.last, at
        lines = self.stepper.lines
        is_next = line in lines.short_loops and (back or frame.f_code.co_code[at] in NEXT)
        again = at <= self.start or is_next or number in lines.short_whiles
        if line == self.line and not again:  # another line of the same statement
            return
        window, previous = self.stepper.window, self.line
        if self.stepper.skipping and self.loops and not self.depth and not self._is_in_loop(line):
            self._look_again()
        self._end(frame)
        window.leaves(self.depth)
        self.line = self.stepper.line = line
        self.start = at
        self._around(line, previous, back or (again and line == previous))
        window.reaches(None if self.offset else line, None, self.depth)
        window.runs(line, self.path())
        self.stepper.weigh(self)
        self.begin(frame)

    def _is_in_loop(self, line: int) -> bool:
        low, high = self.loops[0].span
        return low <= line <= high

    def begin(self, frame: FrameType) -> None:
        """Take what's there now as what was there before the line, if no step was just noted in the frame."""
        if (self.before is None or self.resumed) and not self.stepper.skipping:
            self.before, new = self.stepper.look(frame)
            self.values = {}
            if self.is_fresh:
                own = arguments(frame.f_code)
                self.given = tuple(name for name in self.before if name in new and _root(name) in own)
        self.is_fresh = False
        self.turn, self.begun = [-1], self.stepper.number
        self.stepper.clock.mark(self.turn)

    def _around(self, line: int, previous: int | None, back: bool) -> None:
        """Note which loops hold the line, and which iteration begins.

        Python tests `while` again after the loop's body, and jumps back from there to the body.
        """
        spans = [span for span in self.stepper.lines.loops_around(line) if span[0] > self.first]
        held = [loop for loop in self.loops if loop.span in spans]
        known = len(held)
        header = held[-1].span[0] if held else None
        begins = back or previous != header if line == header else back and previous != header
        if begins and held and known == len(spans):
            self._count(held[-1])
            held[-1].iteration += 1
            known -= 1
        held += [LoopAround(span, next(self.stepper.runs)) for span in spans[len(held) :]]
        self.loops = held
        for number in range(known, len(held)):
            held[number].looks = None if self.stepper.skipping else facts.looks
            self.stepper.window.begins(self.path()[: len(self.outer) + number + 1])

    def _count(self, loop: LoopAround) -> None:
        """Note what an iteration cost that was watched from its beginning to its end."""
        if loop.looks is not None and not self.stepper.skipping:
            self.stepper.window.ends(loop.span[0], facts.looks - loop.looks)

    def _on_error(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        drop_uncounted(trace)
        name = class_name(kind)
        if name == "GeneratorExit":  # closed where it had yielded: the line goes on no further
            self.line = None
            return
        is_end = name in QUIET_ENDS and (self.line is None or self.stepper.lines.ends_quietly(self.line))
        if not is_end:
            self.raised = error_line(error)
            if self.stepper.skipping and self.line is not None:
                self.stepper.window.runs(self.line, self.path(), raises=True)
                self.stepper.weigh(self)

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
