"""Follows a program line by line, and notes the whole state after each line that ran.

What counts as a step: a statement of the program's own files, once its line has ended. What it called of
the program's own functions, lambdas, generators, hooks or `backward` comes before it, one deeper, so
that the state after a step is what a run that stops there would have. A statement on several lines, or
several on one, are one step. A comprehension, the body of a class and code given to `exec` belong to the
line that they stand in, what an import runs to the line that imports. The header of
a loop is a step whenever it runs, also when it finds that there is nothing more; that of `with` once
more when the block is left. `try:` does nothing and is none. A line that an error leaves is a step. A
line that yields has ended there; it is a step again only if something changed when it went on.
"""

from collections.abc import Callable
from inspect import CO_OPTIMIZED
from itertools import count
from types import CodeType, FrameType
from typing import Any

from weaver.recording.acts import Act
from weaver.recording.clock import Clock
from weaver.recording.engine import Engine, TraceFunction
from weaver.recording.files import OwnFiles
from weaver.recording.flow import NamedValues, Snapshot, States
from weaver.recording.fold import KeptStep, Steps
from weaver.recording.frame import Frame
from weaver.recording.model import Step
from weaver.recording.numbers import Numbers, Rates
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.output import Output
from weaver.recording.passes import changes_gradients, prepares
from weaver.recording.torch_private import not_compiled
from weaver.recording.training import HEARD, Training
from weaver.recording.used_up import UsedUp
from weaver.recording.window import Iterations, Window

UNKNOWN = -1  # the offset of a file that nobody has asked about
PART_OF_A_LINE = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}


class Stepper:
    """The trace function for a program's `files`; notes steps through `snapshot` into `steps`.

    `names` are the variables of its module. `snapshot(names, line, before, returned, values)` returns what
    is to be known after a line, which returned something, and before which the facts about tensors were
    `before` and other `values` came from tensors; `entered(names, line, before)` the facts where a function
    begins that a line called. Everything is printed to `output`. The engine's `fail(error)` hears of an error
    of ours too. The `window` decides what is watched.
    """

    def __init__(
        self,
        files: OwnFiles,
        names: dict[str, Any],
        snapshot: Callable[[dict[str, Any], int, States | None, object, NamedValues], Snapshot],
        entered: Callable[[dict[str, Any], int | None, States | None], tuple[States, set[str]]],
        engine: Engine,
        steps: Steps,
        output: Output,
        window: Window,
    ):
        self.files, self.lines, self.names = files, files.lines, names
        self._offsets = files.offsets
        self.snapshot, self.entered = snapshot, entered
        self.engine, self.steps, self.output = engine, steps, output
        self.line: int | None = None  # that ran last
        self.is_off = False  # as recording failed
        self.stack: list[Frame] = []
        self.runs = count()  # of loops
        self.number = 0  # of the next step
        self.skipped = 0
        self.skipping = False
        self.is_noting = False
        self.printed = output.size()  # bytes that steps before have printed
        self.window = window
        self.state: States = {}  # the facts after the last line of the module
        self.clock = Clock()
        self.on_fold: Callable[[], None] = lambda: None
        self.training: Training | None = None  # who hears what is asked of torch, if anybody
        self.numbers, self.rates, self.used_up = Numbers(self.lines), Rates(), UsedUp(self.lines)

    @not_compiled
    def enter(self, frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        """Be called by Python for every function that is entered; follow those of the program."""
        code = frame.f_code
        offset = self._offsets.get(code.co_filename, UNKNOWN)
        if offset is None or code.co_name in PART_OF_A_LINE or self.is_off:
            if id(code) in HEARD and self.training:
                self._hear(frame)
            return None
        if not code.co_flags & CO_OPTIMIZED and code.co_name != "<module>":  # the body of a class
            return None
        try:
            if offset is UNKNOWN:
                offset = self.files.offset(code.co_filename)
            is_module = bool(offset) and code.co_name == "<module>"
            if offset is None or (is_module and not _is_run(frame)):  # what an import runs
                if id(code) in HEARD and self.training:
                    self._hear(frame)
                return None
            return self._follow(frame, code, offset)
        except Exception as error:
            self.engine.fail(error)
            return None

    def _hear(self, frame: FrameType) -> None:
        """Hear that a function is called which isn't the program's."""
        if not self.is_off:
            try:
                assert self.training
                self.training.hear(frame, not self.skipping)
            except Exception as error:
                self.engine.fail(error)

    def at(self) -> tuple[int, int, tuple[tuple[int, int], ...]] | None:
        """Return the line that runs, the number of its step or of the next, and the loops around it."""
        frame = self.stack[-1] if self.stack else None
        return (frame.line, self.number, frame.loop_lines()) if frame and frame.line is not None else None

    def hear_step(self) -> None:
        """Hear that an optimizer has stepped."""
        if self.stack and not self.skipping:
            self.window.steps(self.stack[-1].path())

    def hear_run(self) -> None:
        """Hear that the engine runs, watched or not."""
        if self.stack and self.skipping:
            self.window.misses(self.stack[-1].path(), self.stack[-1].line)

    def _follow(self, frame: FrameType, code: CodeType, offset: int) -> TraceFunction:
        known = getattr(frame.f_trace, "__self__", None)
        if type(known) is Frame:  # a generator that goes on
            known.line, known.resumed = known.left, True
        else:
            known = Frame(self, code, offset, None if code.co_flags & CO_OPTIMIZED else self.state)
        known.depth = len(self.stack)
        known.outer = self.stack[-1].path() if self.stack else ()
        self.stack.append(known)
        if self.training:
            self.training.calls(code)
        if self.window.is_part and not known.resumed:
            self.window.reaches(None, code.co_name, known.depth - 1)
        if not known.resumed:
            self.window.enters(code, known.outer, known.depth)
        self.weigh(known)
        if known.resumed:
            known.begin(frame)
        return known.follow

    def switch(self, in_backward: bool = False) -> str:
        """Return what has switched recording off, as far as the lines that run tell.

        In a custom backward, where it's off anyway, that's only what the lines since its first one tell.
        """
        begins = [at for at, frame in enumerate(self.stack) if frame.function == "backward"]
        inner = self.stack[begins[-1] if in_backward and begins else 0 :]
        found = (self.lines.guard(frame.line) for frame in reversed(inner) if frame.line is not None)
        by = next((one[1] for one in found if one and one[1] != "inference_mode"), "")
        if in_backward:
            return by or "backward"
        is_only = "set_grad_enabled" in self.lines.switches and "no_grad" not in self.lines.switches
        return by or ("set_grad_enabled" if is_only else "no_grad")

    def weigh(self, frame: Frame) -> None:
        """Decide whether to watch what comes."""
        self.skip(not self.window.watches(frame.path(), bool(frame.depth or frame.loops)))

    def skip(self, skipping: bool) -> None:
        """Watch nothing, or watch again."""
        if skipping == self.skipping:
            return
        self.skipping = skipping
        self.engine.awake = not skipping
        self.clock.mark(None)
        if not skipping:
            start, self.printed = self.printed, self.output.size()
            self.steps.leave(self.skipped, start, self.printed, self.number)
            self.skipped = 0
            self.rates.known.clear()

    def finish(self, frame: FrameType, of: Frame, line: int, returned: object) -> None:
        """Note that the line of a frame has ended, and what it returned, if it did."""
        self.is_noting = True
        if self.skipping:
            self.skipped += 1
            of.before = None
        else:
            self._note(frame, of, line, returned)
        self.is_noting = False

    def _note(self, frame: FrameType, of: Frame, line: int, returned: object) -> None:
        self.clock.mark(None)  # the node of a view whose base was written is made as it's looked at
        names = self._names(frame)
        found = self.snapshot(names, line, of.before, returned, of.values)
        tensors, hidden, missing, of.values, is_recorded, off = found
        end = self.output.size()
        events = self.engine.events[:]
        self.engine.events.clear()
        if of.resumed and end == self.printed and not events and self._same(tensors):
            return
        is_telling = is_recorded or bool(events) or end > self.printed
        is_telling = is_telling or changes_gradients(of.before or {}, tensors)
        if is_telling or (tensors != of.before and not self.window.trains()):
            self.window.stirs(of.path())
        if any(event.kind == "start" for event in events):
            self.window.passes(of.path(), line)
        is_setup = self.window.trains() and not (self.window.backward or is_recorded or events)
        if is_telling and not (is_setup and prepares(of.before or {}, tensors)):
            self.window.trained.update(frame.code for frame in self.stack)
        loops = of.loop_lines()
        step = Step(line, of.depth, of.function, "", tensors, hidden, events, loops, of.raised)
        step.before = tensors if of.before is None else of.before
        given = (name for name in of.given if name in tensors)  # the line may have taken a name away
        step.given, of.given, step.missing = tuple(given), (), missing
        if self.training:
            step.returns = is_recorded
            step.off = off if off in ("forward", "backward") else "off" if off else ""
            self._note_training(self.training, step, names, of.begun)
        self.window.notes(tensors, of.before, of.path())
        of.turn[0] = self.number
        self._add(step, end, of.path())
        of.before = tensors
        if not of.depth:
            self.state = tensors

    def _note_training(self, training: Training, step: Step, names: dict[str, Any], begun: int) -> None:
        """Note the numbers that a line set, and whether it read an iterator that's used up."""
        step.numbers = self.numbers.after(step.line, names) | self.rates.changed(training.optimizers, names)
        goes_on = bool(step.loops) and step.loops[-1][0] == step.line and step.loops[-1][1] > 0
        if read := self.used_up.read_by(step.line, names, begun, self.number, goes_on):
            act = Act("used_up", step.line, self.number, training.runs, step.loops)
            act.name, act.on, act.same = read
            training.acts.append(act)

    def look(self, frame: FrameType) -> tuple[States, set[str]]:
        """Return what the names of a frame lead to before its next line, and which hadn't been seen."""
        self.is_noting = True
        self.clock.mark(None)
        line, before = (self.stack[-2].line, self.stack[-2].before) if len(self.stack) > 1 else (None, None)
        found = self.entered(self._names(frame), line, before)
        self.is_noting = False
        return found

    def _names(self, frame: FrameType) -> dict[str, Any]:
        names = frame.f_locals
        return self.names if names is self.names else {**self.names, **names}

    def _same(self, tensors: States) -> bool:
        return bool(self.steps.kept) and self.steps.kept[-1].step.tensors == tensors

    def _add(self, step: Step, end: int, path: Iterations) -> None:
        start, self.printed = self.printed, end
        folded = self.steps.add(KeptStep(self.number, start, end, path, step, self.engine.runs))
        self.number += 1
        self.engine.graph.now = self.number
        if folded:
            self.on_fold()


def _is_run(frame: FrameType) -> bool:
    """Tell whether the code of a module is run as a program, as by `runpy.run_path`."""
    return dict.get(frame.f_globals, "__name__") == "__main__"
