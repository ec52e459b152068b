"""Records a run: puts the parts together, and makes a `Trace` of what they noted."""

import sys
import threading
from bisect import bisect_left
from collections.abc import Collection
from dataclasses import replace
from sys import _getframe as this_frame
from sys import gettrace, settrace
from threading import settrace as settrace_of_threads
from time import monotonic, sleep
from types import ModuleType

from torch import __version__ as TORCH

from weaver.graph.worker.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.graph.worker.objects import error_line
from weaver.graph.worker.torch_private import missing
from weaver.trace.model import Edge, Gap, Limits, Note, Stopped, Trace
from weaver.trace.worker.engine import Engine
from weaver.trace.worker.facts import Reader, Storages, aside
from weaver.trace.worker.flow import Flow
from weaver.trace.worker.fold import Steps
from weaver.trace.worker.graph import Graph
from weaver.trace.worker.lines import Lines
from weaver.trace.worker.output import Output
from weaver.trace.worker.program import End, Program, conclude, execute, finish, prepare
from weaver.trace.worker.reach import Reach
from weaver.trace.worker.stepper import Stepper

ENGINE = __name__.split(".")[0]
DEEP = 20_000  # calls within calls, to read a sum of thousands of terms
FRAMEWORK = (f"{ENGINE}.", "threading")  # modules that may set the trace function


class Recording:
    """A watched run of a program, whose output goes to the file at the path `output`."""

    def __init__(self, program: Program, limits: Limits, output: str):
        self.program, self.limits, self.output = program, limits, Output(output)
        self.notes = {}  # why -> Note, the first of its kind
        self.steps = Steps(limits.steps)
        storages = Storages()
        self.graph = Graph(limits.nodes, limits.elements, storages)
        self.reader = Reader(self.graph.place, limits.elements, storages)
        self.engine = Engine(self.graph, self.reader.hooks, limits.elements, self.fail)
        self.ended = End()
        self.before = {}

    def run(self) -> None:
        """Run the program to its end, or to its error; `end` makes the trace of it."""
        main = prepare(self.program)
        with self.watching(main, self.lines()):
            error = execute(self.program, main)
        self.ended = conclude(error, self.output)
        finish(main)

    def watching(self, main: ModuleType, lines: Lines, unseen: Collection[str] = ()) -> "Watching":
        """Return the context in which the program, which has these lines, is recorded as the module `main`.

        Of the module's variables, the `unseen` are not looked at.
        """
        self.reach = Reach(vars(main), self.limits.tensors, self.limits.items, unseen)
        self.flow = Flow(lines, self.graph)
        parts = self.snapshot, self.engine, self.steps, self.output
        self.stepper = Stepper(self.program.path, lines, vars(main), *parts, self.limits.looks)
        self.stepper.on_fold = self.forget
        self.engine.stepper = self.stepper.enter
        self._look_before(vars(main))
        return Watching(self)

    def fail(self, error: Exception) -> None:
        """Record nothing more after an error of ours; one that a signal's handler raised is the program's."""
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.program.path:
                self.note("interrupted", self.stepper.line)
                self.stepper.is_off = True  # Python is about to take our trace function away
                raise error
            trace = trace.tb_next
        self.note("failed", self.stepper.line, error_line(error))
        self.engine.awake, self.stepper.is_off = False, True
        settrace(None)

    def note(self, why: str, line: int | None = None, text: str = "") -> None:
        """Note why something is missing."""
        self.notes.setdefault(why, Note(why, line, text))

    def on_settrace(self, frame) -> None:
        """Hear that somebody sets the trace function."""
        if self.stepper.is_off or frame.f_globals.get("__name__", "").startswith(FRAMEWORK):
            return
        while frame is not None and frame.f_code.co_filename != self.program.path:
            frame = frame.f_back
        self.note("settrace", frame.f_lineno if frame else self.stepper.line)

    def _look_before(self, names):
        """Note what the names lead to before the first line."""
        self.graph.now = -1
        with aside():
            tensors, _ = self.reach.find(names)
            self.before = {name: self.reader.facts(tensor) for name, tensor in tensors.items()}
        self.flow.begin(self.before)
        self.stepper.state, self.graph.now, self.graph.new = self.before, 0, []

    def stop(self, patience: float = 1.0) -> None:
        """Record nothing more: what is noted is read from now on.

        Another thread may be at it: it has `patience` seconds to come to the end of its line.
        """
        self.engine.awake = False
        self.stepper.skipping = True
        deadline = monotonic() + patience
        while self.stepper.is_noting and monotonic() < deadline:
            sleep(0.001)

    def lines(self) -> Lines:
        """Return the program's lines, none of a text that is no Python."""
        deep = sys.getrecursionlimit()
        sys.setrecursionlimit(max(deep, DEEP))
        try:
            return Lines(self.program.source)
        except (SyntaxError, ValueError):
            return Lines("")
        except (RecursionError, MemoryError):
            self.note("nested")
            return Lines("")
        finally:
            sys.setrecursionlimit(deep)

    def snapshot(self, names: dict, line: int, before: dict, returned) -> tuple[dict, dict]:
        """Return the facts about all tensors that the names lead to after the line, and what was hidden.

        What the line `returned` has no name yet; only its way there is noted.
        """
        cut = self.flow.cut()
        with aside():
            given, _ = self.reach.find({"return": returned})
            given = {name: self.reader.facts(tensor) for name, tensor in given.items()}
            tensors, hidden = self.reach.find(names)
            facts = {name: self.reader.facts(tensor) for name, tensor in tensors.items()}
        self.flow.follow(line, before, {**facts, **given}, cut)
        return facts, hidden

    def forget(self) -> None:
        """Drop what only steps spoke of that are gone."""
        self.graph.forget(self._places())
        self.reader.forget_the_dead()

    def _places(self):
        """Return all places that the steps which are kept speak of."""
        places = set()
        places.update(facts.place for facts in self.before.values())
        for step in (one.step for one in self.steps.kept):
            places.update(facts.place for facts in step.tensors.values())
            for event in step.events:
                places.update([event.node or "", *(event.freed or ())])
        return places

    def end(self, stopped: Stopped | None = None) -> Trace:
        """Return the trace of what was recorded; `stopped` says why the program did not come to its end."""
        trace = Trace(str(TORCH), self.program.path, self.ended.error, stopped, self.before)
        trace.notes = [*self.notes.values(), *(Note("missing", text=name) for name in missing)]
        places = self._places()
        self.graph.forget(places)
        self._add_steps(trace)
        numbers = [one.number for one in self.steps.kept]

        def born(thing):
            at = min(bisect_left(numbers, thing.born), max(len(numbers) - 1, 0))
            return replace(thing, born=at if thing.born >= 0 else -1)

        trace.nodes += map(born, self.graph.nodes.values())
        trace.edges += map(born, self._edges(places))
        trace.nodes_hidden, trace.edges_hidden = self.graph.nodes_hidden, self.graph.edges_hidden
        return trace

    def _edges(self, places) -> list[Edge]:
        """Return the edges without gradient that lead, at whatever remove, to what a step speaks of."""
        into = {}
        for edge in self.graph.edges.values():
            into.setdefault(edge.end, []).append(edge)
        found, seen = set(), set()
        todo = [place for place in places if place[:1] == "p"] + list(self.graph.nodes)
        while todo:
            end = todo.pop()
            if end in seen:
                continue
            seen.add(end)
            for edge in into.get(end, ()):
                found.add((edge.start, end))
                todo += [edge.start] if edge.start[0] == "p" else []
        known = self.graph.nodes.keys()
        return [
            edge
            for ends, edge in self.graph.edges.items()  # as they were added, so by `born`
            if ends in found and (edge.start[0] != "n" or edge.start.split(".")[0] in known)
        ]

    def _add_steps(self, trace):
        text = self.output
        before = None
        for one in self.steps.kept:
            one.step.printed = text.between(one.start, one.end)
            if left := self.steps.left.get(one.number):
                one.step.gap = _gap(left, before, one, text.between(left.start, left.end))
            trace.steps.append(one.step)
            before = one
        rest = before.end if before else 0
        if self.ended.start < self.ended.end:  # the traceback is the error, not what was printed
            trace.printed_at_end = text.between(rest, self.ended.start)
            rest = self.ended.end
        trace.printed_at_end += text.between(rest)


def _gap(left, before, after, printed):
    """Return what was left out between two steps, with the innermost loop that both are in."""
    earlier = {run: iteration for run, _, iteration in before.path} if before else {}
    shared = [(line, now - earlier[run] - 1) for run, line, now in after.path if now > earlier.get(run, now)]
    line, iterations = shared[-1] if shared else (None, 0)
    return Gap(left.steps, printed, line, max(iterations, 0))


class Watching:
    """Stands in Python's and torch's way while it is entered as a context.

    No generator of `contextlib`: that would need the builtins, which the program may have broken.
    """

    def __init__(self, recording: Recording):
        self.recording = recording

    def __enter__(self):
        found = self.recording
        self.earlier = gettrace(), threading.gettrace()
        _listen()
        _listening.append(found)
        found.engine.__enter__()
        settrace_of_threads(found.stepper.enter)
        settrace(found.stepper.enter)

    def __exit__(self, *error):
        found = self.recording
        settrace(self.earlier[0])
        settrace_of_threads(self.earlier[1])
        _listening.remove(found)
        found.engine.__exit__(*error)
        if not found.stepper.is_off:
            found.stepper.skip(False)
        found.stop()


_listening = []  # the recordings that are running
_hears = False


def _listen():
    """Hear for the rest of this process when a trace function is set: no other way tells."""
    global _hears

    def hear(event, arguments):
        if event == "sys.settrace" and _listening:
            _listening[-1].on_settrace(this_frame(1))

    if not _hears:
        _hears = True
        sys.addaudithook(hear)
