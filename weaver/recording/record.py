"""Records a run: puts the parts together, and makes a `Trace` of what they noted."""

import sys
from bisect import bisect_left
from collections.abc import Collection
from dataclasses import replace
from sys import settrace
from time import monotonic, sleep
from types import ModuleType
from typing import Any

from torch import __version__ as TORCH

from weaver.recording.calculation import Calculation
from weaver.recording.engine import Engine
from weaver.recording.facts import Reader, aside
from weaver.recording.files import OwnFiles
from weaver.recording.flow import Flow, NamedValues, Snapshot, States, cut
from weaver.recording.fold import Steps, gap
from weaver.recording.identity import Identity, Storages
from weaver.recording.limits import Limits
from weaver.recording.lines import SourceLines
from weaver.recording.model import Edge, Note, Stopped, Trace, made_in
from weaver.recording.names import LeafNames
from weaver.recording.nodes import Nodes
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import error_line
from weaver.recording.operations import Operations
from weaver.recording.output import Output
from weaver.recording.program import ProgramEnd, Script, conclude, execute, finish, prepare
from weaver.recording.reach import Reach
from weaver.recording.stepper import Stepper
from weaver.recording.torch_private import is_in_backward, missing, tensors
from weaver.recording.training import Training
from weaver.recording.watching import Watching
from weaver.recording.window import Window

PATIENCE = 1.0  # seconds that another thread has to come to the end of its line
DEEP = 20_000  # calls within calls, to read a sum of thousands of terms


class Recording:
    """A watched run of a program, whose output goes to the file at the path `output`.

    If it `has_graphs`, its operations are noted as well.
    """

    def __init__(self, program: Script, limits: Limits, output: str, has_graphs: bool = False):
        self.program, self.limits, self.output = program, limits, Output(output)
        self.notes: dict[str, Note] = {}  # why -> Note, the first of its kind
        self.steps = Steps(limits.steps)
        storages = Storages()
        self.graph = Nodes(limits.nodes, limits.elements, Identity(), storages)
        self.reader = Reader(self.graph.place, limits.elements, storages)
        self.graph.alive = self.reader.alive
        self.engine = Engine(self.graph, self.reader.hooks, limits.elements, self.fail)
        self.has_graphs, self.ended = has_graphs, ProgramEnd()
        self.names = LeafNames(self.graph.place, lambda: len(self.stepper.stack))
        self.before: States = {}

    def run(self) -> None:
        """Run the program to its end, or to its error; `end` makes the trace of it."""
        main = prepare(self.program)
        with self.watching(main, self.lines()):
            error = execute(self.program, main)
        self.ended = conclude(error, self.output)
        finish(main)

    def watching(self, main: ModuleType, lines: SourceLines, unseen: Collection[str] = ()) -> Watching:
        """Return the context that records a program as the module `main`, without its `unseen` variables."""
        self.files = OwnFiles(self.program, lines)
        self.reach = Reach(vars(main), self.limits, unseen, self.files.has_module, self.names.note)
        self.flow = Flow(lines, self.graph, self.engine.unreached)
        parts = self.snapshot, self.entered, self.engine, self.steps, self.output
        self.stepper = Stepper(self.files, vars(main), *parts, Window(self.limits))
        self.stepper.on_fold = self.forget
        self.graph.turn = self.stepper.clock.turn
        if self.limits.acts:
            training = self.stepper.training = self.engine.training = Training(self.graph, self.stepper.at)
            self.flow.on_number = training.uses
            training.on_step, training.on_run = self.stepper.hear_step, self.stepper.hear_run
            window = self.stepper.window
            window.awaits_step, window.is_evaluating = training.awaits_step, lambda: training.is_evaluating
            training.on_make = window.renews
            window.trains = lambda: self.files.trains
        self.engine.stepper = self.stepper.enter
        self.engine.depth = lambda: len(self.stepper.stack) - 1
        if self.has_graphs:
            self.engine.operations = Operations(vars(main), self.reach)
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

    def _look_before(self, names: dict[str, Any]) -> None:
        """Note what the names lead to before the first line."""
        self.graph.now = -1
        with aside():
            self.before = self._facts(names)
        self.flow.begin(self.before)
        self.stepper.state, self.graph.now, self.graph.new = self.before, 0, []

    def stop(self) -> None:
        """Record nothing more: what is noted is read from now on.

        Another thread may be at it: it has PATIENCE seconds to come to the end of its line.
        """
        self.engine.awake = False
        self.stepper.skipping = True
        deadline = monotonic() + PATIENCE
        while self.stepper.is_noting and monotonic() < deadline:
            sleep(0.001)

    def lines(self) -> SourceLines:
        """Return the program's lines, none of a text that is no Python."""
        deep = sys.getrecursionlimit()
        sys.setrecursionlimit(max(deep, DEEP))
        try:
            return SourceLines(self.program.source)
        except (SyntaxError, ValueError):
            return SourceLines("")
        except (RecursionError, MemoryError):
            self.note("nested")
            return SourceLines("")
        finally:
            sys.setrecursionlimit(deep)

    def entered(
        self, names: dict[str, Any], line: int | None, before: States | None
    ) -> tuple[States, set[str]]:
        """Return the facts about all tensors that the names lead to where a function begins, and what's new.

        The line of the caller, before which the facts were `before`, made some of them.
        """
        with aside():
            facts = self._facts(names)
        if line is not None and before is not None:
            return facts, self.flow.enter(line, before, facts)
        self.flow.begin(facts)
        return facts, set()

    def snapshot(
        self, names: dict[str, Any], line: int, before: States | None, returned: object, values: NamedValues
    ) -> Snapshot:
        """Return what is to be known after the line, before which some `values` came from tensors.

        What the line `returned` has no name yet; only its way there is noted.
        """
        if (why := cut()) == "no_grad":
            why = self.stepper.switch(in_backward=is_in_backward())
        with aside():
            given = self._facts({"return": returned})
            if self.stepper.training:
                self.stepper.training.returns(given)
            tensors, hidden = self.reach.find(names)
            facts = {name: self.reader.facts(tensor) for name, tensor in tensors.items()}
            missing = self.flow.missing(line, before or {}, facts, tensors)
            missing += self.flow.unstarted(self.engine.events, facts)
        if before is None:
            self.flow.begin(facts)
        else:
            objects = {**names, "return": returned}
            self.flow.follow(line, before, {**facts, **given}, why, objects, values)
        is_recorded = any(one.requires_grad for one in given.values())
        return Snapshot(facts, hidden, missing, self.flow.values.named(names), is_recorded, why)

    def _facts(self, names: dict[str, Any]) -> States:
        """Return the facts about all tensors that the names lead to."""
        return {name: self.reader.facts(tensor) for name, tensor in self.reach.find(names)[0].items()}

    def forget(self) -> None:
        """Drop what only steps spoke of that are gone."""
        self.graph.forget(self._places())
        self.reader.forget_the_dead()

    def _places(self) -> set[str]:
        """Return all places that the steps which are kept speak of."""
        places = {facts.place for facts in self.before.values()}
        known: States | None = None
        for step in (one.step for one in self.steps.kept):
            if step.before and step.before is not known:
                places.update(facts.place for facts in step.before.values())
            places.update(facts.place for facts in step.tensors.values())
            known = step.tensors
            for event in step.events:
                places.update([event.node or "", *(event.freed or ())])
        places.update(edge.start for edge in self.graph.edges.values() if edge.end in places)
        return places

    def calculation(self, asked: dict[str, Any]) -> tuple[Calculation, list[str]]:
        """Return what was calculated, and the places of the tensors in what is asked for, by its name.

        Raises TypeError for what is no tensor, and ValueError if something couldn't be noted.
        """
        operations = self.engine.operations
        assert operations, "the recording has no graphs"
        roots = []
        for name, value in asked.items():
            found = tensors(value)
            if not found:
                raise TypeError(f"{name} isn't a tensor")
            roots += found
        places = operations.finish(roots)
        if operations.broken:
            raise ValueError(f"the graph couldn't be recorded: {operations.broken}")
        return operations.calculation, places

    def end(self, stopped: Stopped | None = None) -> Trace:
        """Return the trace of what was recorded; `stopped` says why the program did not come to its end."""
        trace = Trace(str(TORCH), self.program.path, self.ended.error, stopped, self.before)
        trace.files, trace.names = self.files.found, self.names.all()
        trace.acts = self.stepper.training.acts if self.stepper.training else []
        if not stopped:
            self._note_unreached()
        lacks = (Note("missing", text=name) for name in missing)
        trace.notes = [*self.notes.values(), *self.stepper.window.missed(), *lacks]
        places = self._places()
        self.graph.forget(places)
        self._add_steps(trace)
        numbers = [one.number for one in self.steps.kept]

        def step(born: int) -> int:
            return min(bisect_left(numbers, born), max(len(numbers) - 1, 0)) if born >= 0 else -1

        at = {number: index for index, number in enumerate(numbers)}
        for node in self.graph.known.values():
            turn = self.graph.made_by.get(node.id)
            made = -1 if self.graph.is_of_view(node) else at.get(turn[0] if turn else node.born, -1)
            trace.nodes.append(made_in(replace(node, born=step(node.born)), made, trace.steps))
        trace.edges += [replace(edge, born=step(edge.born)) for edge in self._edges(places)]
        late = numbers[-1] if numbers else -1  # an act after it was in a line that didn't come to its end
        trace.acts = [replace(act, step=at.get(min(act.step, late), -1)) for act in trace.acts]
        trace.nodes_hidden, trace.edges_hidden = self.graph.nodes_hidden, self.graph.edges_hidden
        return trace

    def _note_unreached(self) -> None:
        """Note at the last step of the program, if it's recorded, why leaves ended without a gradient."""
        if not self.steps.kept or self.stepper.skipped:
            return
        step, unreached = self.steps.kept[-1].step, self.engine.unreached
        without = {one.place: name for name, one in reversed(step.tensors.items())}
        told = {step.tensors[one.name].place for one in step.missing}
        for place, name in list(without.items())[::-1]:
            if f"{name}.grad" in step.tensors or place in told:
                continue
            if unreached.is_unreached(place) and unreached.is_trained(place):
                found = self.flow.why(name, place, keeps=False)
                step.missing += (found,) if found else ()

    def _edges(self, places: set[str]) -> list[Edge]:
        """Return the edges without gradient that lead, at whatever remove, to what a step speaks of."""
        into: dict[str, list[Edge]] = {}
        for edge in self.graph.edges.values():
            into.setdefault(edge.end, []).append(edge)
        found, seen = set(), set()
        todo = [place for place in places if place[:1] in "pl"] + list(self.graph.known)
        while todo:
            end = todo.pop()
            if end in seen:
                continue
            seen.add(end)
            for edge in into.get(end, ()):
                found.add((edge.start, end))
                todo += [edge.start] if edge.start[0] == "p" else []
        known = self.graph.known.keys()
        return [
            edge
            for ends, edge in self.graph.edges.items()  # as they were added, so by `born`
            if ends in found and (edge.start[0] != "n" or edge.start.split(".")[0] in known)
        ]

    def _add_steps(self, trace: Trace) -> None:
        text, before = self.output, None
        for one in self.steps.kept:
            one.step.printed = text.between(one.start, one.end)
            if left := self.steps.left.get(one.number):
                one.step.gap = gap(left, before, one, text.between(left.start, left.end))
            trace.steps.append(one.step)
            before = one
        rest = before.end if before else 0
        if self.ended.start < self.ended.end:  # the traceback is the error, not what was printed
            trace.printed_at_end = text.between(rest, self.ended.start)
            rest = self.ended.end
        trace.printed_at_end += text.between(rest)
