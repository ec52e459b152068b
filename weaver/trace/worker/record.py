"""Records a run: puts the parts together, and makes a `Trace` of what they noted."""

import os
import sys
import threading
import time
import types
from bisect import bisect_left
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace

import torch

from weaver.trace.model import Edge, Gap, Limits, Stopped, Trace
from weaver.trace.worker.engine import Engine
from weaver.trace.worker.facts import Reader, Storages, aside
from weaver.trace.worker.flow import Flow
from weaver.trace.worker.fold import Steps
from weaver.trace.worker.graph import Graph
from weaver.trace.worker.lines import Lines
from weaver.trace.worker.program import End, Program, execute, finish, prepare
from weaver.trace.worker.reach import Reach
from weaver.trace.worker.stepper import Stepper

SHOWN = 20_000  # bytes of the longest text that one step printed, or those left out in one place


class Recording:
    """A watched run of a program, whose output goes to the descriptor `output`."""

    def __init__(self, program: Program, limits: Limits, output: int):
        self.program, self.limits, self.output = program, limits, output
        self.steps = Steps(limits.steps)
        storages = Storages()
        self.graph = Graph(limits.nodes, limits.elements, storages)
        self.reader = Reader(self.graph.place, limits.elements, storages)
        self.engine = Engine(self.graph, self.reader.hooks, limits.elements)
        self.ended = End()
        self.before = {}

    def run(self) -> None:
        """Run the program to its end, or to its error; `end` makes the trace of it."""
        main = prepare(self.program)
        code, lines = self.compile()
        with self.watching(main, lines):
            self.ended = execute(self.program, main, code)
        finish(main)

    @contextmanager
    def watching(self, main: types.ModuleType, lines: Lines, unseen: Collection[str] = ()) -> Iterator[None]:
        """Record the program, which has these lines, while it is executed as the module `main`.

        Of the module's variables, the `unseen` are not looked at.
        """
        self.reach = Reach(vars(main), self.limits.tensors, self.limits.items, unseen)
        self.flow = Flow(lines, self.graph)
        self.stepper = Stepper(
            self.program.path, lines, vars(main), self.snapshot, self.engine, self.steps, self.output
        )
        self.stepper.on_fold = self.forget
        self.engine.stepper = self.stepper.enter
        self._look_before(vars(main))
        earlier = sys.gettrace(), threading.gettrace()
        with self.engine:
            threading.settrace(self.stepper.enter)
            sys.settrace(self.stepper.enter)
            try:
                yield
            finally:
                sys.settrace(earlier[0])
                threading.settrace(earlier[1])
        self.stepper.skip(False)
        self.stop()

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
        deadline = time.monotonic() + patience
        while self.stepper.is_noting and time.monotonic() < deadline:
            time.sleep(0.001)

    def compile(self) -> tuple:
        """Return the program's code, and its lines; code that raises what is wrong if there is none."""
        path, source = self.program.path, self.program.source
        try:
            return compile(source, path, "exec", dont_inherit=True), Lines(source)
        except (SyntaxError, ValueError):
            again = "compile(source, path, 'exec', dont_inherit=True)"
            return f"source, path = {source!r}, {path!r}\n{again}", Lines("")

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
        trace = Trace(torch.__version__, self.program.path, self.ended.error, stopped, self.before)
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
        found, seen = [], set()
        todo = [place for place in places if place[:1] == "p"] + list(self.graph.nodes)
        while todo:
            end = todo.pop()
            if end in seen:
                continue
            seen.add(end)
            for edge in into.get(end, ()):
                found.append(edge)
                todo += [edge.start] if edge.start[0] == "p" else []
        known = self.graph.nodes.keys()
        found = [e for e in found if e.start[0] != "n" or e.start.split(".")[0] in known]
        return sorted(found, key=lambda edge: edge.born)

    def _add_steps(self, trace):
        text = _Output(self.output)
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
        trace.printed_at_end += text.between(rest, None)


def _gap(left, before, after, printed):
    """Return what was left out between two steps, with the innermost loop that both are in."""
    earlier = {run: iteration for run, _, iteration in before.path} if before else {}
    shared = [(line, now - earlier[run] - 1) for run, line, now in after.path if now > earlier.get(run, now)]
    line, iterations = shared[-1] if shared else (None, 0)
    return Gap(left.steps, printed, line, max(iterations, 0))


class _Output:
    """What a program has printed, by its bytes."""

    def __init__(self, descriptor):
        self.descriptor = descriptor

    def between(self, start: int, end: int | None) -> str:
        size = os.fstat(self.descriptor).st_size
        end = size if end is None else min(end, size)
        if end - start <= SHOWN:
            return self._read(start, end)
        half = SHOWN // 2
        return f"{self._read(start, start + half)}[… {end - start - SHOWN} …]{self._read(end - half, end)}"

    def _read(self, start, end):
        return os.pread(self.descriptor, max(end - start, 0), start).decode("utf-8", errors="replace")
