"""Follows a program line by line, and notes the whole state after each line that ran.

What counts as a step: a statement of the program's own file, once its line has ended. What it called of
the program's own functions, lambdas, generators, hooks or `backward` comes before it, one deeper, so
that the state after a step is what a run that stops there would have. A statement on several lines, or
several on one, are one step. A comprehension, the body of a class and code given to `exec` belong to the
line that they stand in, a module beside the program to the line that imports or calls it. The header of
a loop is a step whenever it runs, also when it finds that there is nothing more; that of `with` once
more when the block is left. `try:` does nothing and is none. A line that an error leaves is a step. A
line that yields has ended there; it is a step again only if something changed when it went on.
"""

from inspect import CO_OPTIMIZED
from itertools import count

from weaver.graph.worker.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.graph.worker.objects import class_name, error_line
from weaver.graph.worker.torch_private import not_compiled
from weaver.trace.model import Facts, Step
from weaver.trace.worker import facts
from weaver.trace.worker.engine import Engine, drop_uncounted
from weaver.trace.worker.fold import Kept, Steps
from weaver.trace.worker.lines import Lines
from weaver.trace.worker.output import Output

PART_OF_A_LINE = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
EVERYWHERE, NOWHERE = (0, 1 << 30), (1, 0)  # spans of lines
QUIET_ENDS = ("StopIteration", "StopAsyncIteration", "GeneratorExit")  # how loops and generators end


class Stepper:
    """The trace function for a program's file; notes steps through `snapshot` into `steps`.

    `names` are the variables of its module. `snapshot(names, line, before, returned)` returns the facts
    about all tensors they lead to, and what was hidden, after a line before which the facts were `before`,
    and which returned something; everything is printed to `output`. The engine's `fail(error)` hears of an
    error of ours too. After so many `looks` at tensors, few iterations of a loop are watched.
    """

    def __init__(
        self,
        program: str,
        lines: Lines,
        names: dict,
        snapshot,
        engine: Engine,
        steps: Steps,
        output: Output,
        looks: int,
    ):
        self.program, self.lines, self.names = program, lines, names
        self.snapshot, self.engine, self.steps, self.output = snapshot, engine, steps, output
        self.line = None  # that ran last
        self.is_off = False  # as recording failed
        self.stack = []  # of Frame
        self.runs = count()  # of loops
        self.number = 0  # of the next step
        self.skipped = 0
        self.skipping = False
        self.is_noting = False
        self.printed = output.size()  # bytes that steps before have printed
        self.most_looks = facts.looks + looks
        self.sample = ()  # the iteration that is watched although there's no patience left
        self.state = {}  # the facts after the last line of the module
        self.on_fold = lambda: None

    @not_compiled
    def enter(self, frame, event, argument):
        """Be called by Python for every function that is entered; follow those of the program."""
        code = frame.f_code
        if code.co_filename != self.program or code.co_name in PART_OF_A_LINE or self.is_off:
            return None
        if not code.co_flags & CO_OPTIMIZED and code.co_name != "<module>":  # the body of a class
            return None
        try:
            return self._follow(frame, code)
        except Exception as error:
            return self.engine.fail(error)

    def _follow(self, frame, code):
        known = getattr(frame.f_trace, "__self__", None)
        if type(known) is Frame:  # a generator that goes on
            known.line, known.resumed = known.left, True
        else:
            known = Frame(self, code.co_name, {} if self.stack else self.state)
        known.depth = len(self.stack)
        known.outer = self.stack[-1].path() if self.stack else ()
        self.stack.append(known)
        self.weigh(known)
        return known.follow

    def weigh(self, frame: "Frame") -> None:
        """Decide whether to watch what comes: a loop, or a function, that costs too much is passed over.

        The cost is counted, not timed: what a recording shows doesn't depend on the machine.
        """
        over = facts.looks > self.most_looks and bool(frame.depth or frame.loops)
        self.skip(over and (not self.sample or frame.path()[:1] != self.sample))

    def skip(self, skipping: bool) -> None:
        """Watch nothing, or watch again."""
        if skipping == self.skipping:
            return
        self.skipping = skipping
        self.engine.awake = not skipping
        if not skipping:
            start, self.printed = self.printed, self.output.size()
            self.steps.leave(self.skipped, start, self.printed, self.number)
            self.skipped = 0

    def finish(self, frame, of: "Frame", returned=None) -> None:
        """Note that the line of a frame has ended, and what it returned, if it did."""
        self.is_noting = True
        if self.skipping:
            self.skipped += 1
        else:
            self._note(frame, of, returned)
        self.is_noting = False

    def _note(self, frame, of, returned):
        names = self.names if frame.f_locals is self.names else {**self.names, **frame.f_locals}
        tensors, hidden = self.snapshot(names, of.line, of.before, returned)
        end = self.output.size()
        events = self.engine.events[:]
        self.engine.events.clear()
        if of.resumed and end == self.printed and not events and self._same(tensors):
            return
        loops = of.loop_lines()
        step = Step(of.line, of.depth, of.function, "", tensors, hidden, events, loops, of.raised)
        self._add(step, end, of.path())
        of.before = tensors
        if not of.depth:
            self.state = tensors

    def _same(self, tensors: dict[str, Facts]) -> bool:
        return bool(self.steps.kept) and self.steps.kept[-1].step.tensors == tensors

    def _add(self, step, end, path):
        start, self.printed = self.printed, end
        folded = self.steps.add(Kept(self.number, start, end, path, step))
        self.number += 1
        self.engine.graph.now = self.number
        if folded:
            self.on_fold()


class Frame:
    """One call of one of the program's functions, as far as it has come."""

    def __init__(self, stepper: Stepper, function: str, before: dict[str, Facts]):
        self.stepper, self.is_lambda = stepper, function == "<lambda>"
        self.function = None if function == "<module>" else function
        self.depth, self.outer = 0, ()
        self.line = self.left = None  # of the statement that runs, and of the one that gave the word away
        self.start = self.last = -1  # where its code, and the code of the line before, begins
        self.before = before  # the facts after its last step
        self.loops = []  # around it: [span, run, iteration]
        self.raised = None
        self.resumed = False
        self.span = EVERYWHERE  # the lines of the outermost loop
        self.follow = self.trace  # bound once

    def path(self) -> tuple[tuple[int, int, int], ...]:
        """Return the iterations that it is in: run of a loop, its line, number of the iteration."""
        return (*self.outer, *((run, span[0], iteration) for span, run, iteration in self.loops))

    def loop_lines(self) -> tuple[tuple[int, int], ...]:
        """Return the lines of the loops around it, in all functions, and their iterations."""
        return tuple((line, iteration) for _, line, iteration in self.path())

    @not_compiled
    def trace(self, frame, event, argument):
        """Be called by Python for each line, error and end of the frame."""
        try:
            return self._trace(frame, event, argument)
        except Exception as error:
            return self.stepper.engine.fail(error)

    def _trace(self, frame, event, argument):
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
        return self.follow

    def _passes_over(self, line):
        """Count a line while nothing is recorded, as fast as may be; tell whether it is still so.

        Of a loop, the iterations 1, 2, 4, 8, ... are watched again.
        """
        low, high = self.span
        if not low <= line <= high:
            if not self.depth:
                self._look_again()
            return False
        if line == low and self.loops:
            _, run, iteration = self.loops[0]
            if not self.outer and not iteration & (iteration + 1):
                self.stepper.sample = ((run, low, iteration + 1),)
                self.stepper.skip(False)
                self.line, self.loops = None, self.loops[:1]
                return False
            self.loops[0][2] += 1
        self.stepper.skipped += 1
        return True

    def _look_again(self):
        """Make a step of the end of a loop that was passed over: what it left is the state from there on."""
        self.stepper.skip(False)
        self.line, self.loops = self.span[0], self.loops[:1]

    def _on_line(self, frame):
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

    def _around(self, line, back):
        """Note which loops hold the line, and which iteration begins."""
        spans = self.stepper.lines.loops_around(line)
        held = [loop for loop in self.loops if loop[0] in spans]
        changed = len(held) < len(self.loops)
        if back and held and len(held) == len(spans):
            held[-1][2] += 1
            changed = True
        for span in spans[len(held) :]:
            held.append([span, next(self.stepper.runs), 0])
        self.loops = held
        self.span = held[0][0] if held else EVERYWHERE if self.depth else NOWHERE
        if changed:
            self.stepper.weigh(self)

    def _on_error(self, kind, error, trace):
        drop_uncounted(trace)
        if class_name(kind) not in QUIET_ENDS:
            self.raised = error_line(error)

    def _end(self, frame, returned=None):
        if self.line is not None and self.line not in self.stepper.lines.silent:
            self.stepper.finish(frame, self, returned)
        self.line, self.raised, self.resumed = None, None, False
