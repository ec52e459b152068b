"""A recorded run, and the questions that findings ask about it."""

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

from weaver.recording.acts import Act
from weaver.recording.lines import SourceLines, asked, expressions, meant, path
from weaver.recording.model import Edge, Event, Node, Step, TensorState, Trace, id_of, maker
from weaver.recording.passes import caller, callers
from weaver.why.names import Names

Key = TypeVar("Key", int, str)
Loops = tuple[tuple[int, int], ...]
VIEWS = (
    "TBack", "Transpose", "Permute", "View", "Select", "Slice", "Expand", "Squeeze", "Unsqueeze", "Alias",
)
SWITCH = re.compile(r"set_grad_enabled\((mode=)?(\w+)\)")


@dataclass(slots=True)
class WatchedPass:
    """One run of the engine, by its `number`: what happened, in which step's line.

    `of` is the function that called the engine, `roots` are the places where it started.
    """

    number: int
    step: int
    line: int
    of: str | None = None
    loops: Loops = ()
    roots: list[str] = field(default_factory=list)
    visits: list[Event] = field(default_factory=list)
    freed: set[str] = field(default_factory=set)
    failed: Event | None = None

    def given(self) -> list[str]:
        """Return the leaves whose `.grad` it added to, in order."""
        return [visit.node for visit in self.visits if visit.node and visit.after is not None]

    def ids(self) -> set[str]:
        """Return the ids of the nodes and leaves that it visited, and of leaves where it started."""
        leaves = {place for place in self.roots if place[:1] == "l"}
        return leaves | {event.node for event in self.visits if event.node}


class WatchedRun(Names):
    """A trace with its program's text."""

    def __init__(self, trace: Trace, source: str):
        self.trace, self.steps, self.acts = trace, trace.steps, trace.acts
        self.nodes = {node.id: node for node in trace.nodes}
        try:
            self.lines = SourceLines(source)
            for file in trace.files:
                self.lines.add(file.text, file.first - 1)
        except (SyntaxError, ValueError, RecursionError):
            self.lines = SourceLines("")

    @cached_property
    def edges(self) -> dict[int, list[Edge]]:
        """Return the edges without gradient by the steps whose lines made them, as far as that's known."""
        found: dict[int, list[Edge]] = {}
        for edge in self.trace.edges:
            if 0 <= edge.born < len(self.steps) and self.steps[edge.born].gap:
                continue
            found.setdefault(edge.born, []).append(edge)
        return found

    def of(self, kind: str) -> list[Act]:
        """Return the acts of a kind."""
        return self._by_kind.get(kind, [])

    @cached_property
    def _by_kind(self) -> dict[str, list[Act]]:
        return _grouped(self.acts, lambda act: act.kind)

    @cached_property
    def passes(self) -> list[WatchedPass]:
        """Return the runs of the engine that were watched, in order."""
        found: dict[int, WatchedPass] = {}
        for index, step in enumerate(self.steps):
            for event in step.events:
                if not (one := found.get(event.run)):
                    at = caller(self.steps, index, event)
                    one = found[event.run] = WatchedPass(
                        event.run, at, self.steps[at].line, loops=self.steps[at].loops
                    )
                if event.kind == "start" and event.node:
                    one.of = event.of
                    one.roots.append(event.node)
                elif event.kind == "visit":
                    one.visits.append(event)
                elif event.kind == "freed":
                    one.freed.update(event.freed or ())
                elif event.kind == "failed":
                    one.failed = one.failed or event
        return sorted(found.values(), key=lambda one: one.number)

    def in_order(self) -> Iterator[WatchedPass | Act | None]:
        """Yield passes and acts as they happened, and None where some may be missing in between.

        That's so around each act whose step is gone: its pass is gone too.
        """
        acts = [((act.run, 0, number), act) for number, act in enumerate(self.acts)]
        passes = [((one.number, 1, 0), one) for one in self.passes]
        both: list[tuple[tuple[int, int, int], WatchedPass | Act]] = [*acts, *passes]
        last, was_gone = -1, False
        for _, one in sorted(both, key=lambda pair: pair[0]):
            is_gone = one.step < 0
            if is_gone or was_gone or self.has_gap(last, one.step):
                yield None
            yield one
            last, was_gone = max(last, one.step), is_gone

    def text(self, line: int) -> str:
        """Return the text of the statement on a line, without surrounding whitespace."""
        if found := self.lines.statements(line):
            return self.lines.header(found[0]).strip()
        return self.lines.texts[line - 1].strip() if 0 < line <= len(self.lines.texts) else ""  # a decorator

    def expressions(self, line: int) -> Iterator[ast.AST]:
        """Yield the expressions in the statements of a line, without those of nested statements."""
        for one in reversed(self.lines.statements(line)):
            yield from expressions(one)

    def guard(self, line: int) -> int | None:
        """Return the line of the innermost `with torch.no_grad()` or decorator around a line."""
        found = self.lines.guard(line)
        return found[0] if found else None

    def switched_by(self, line: int) -> str:
        """Return what switches recording off around a line: `torch.no_grad()`."""
        found = self.lines.guard(line)
        return f"torch.{found[1]}()" if found else ""

    def switched_off(self, index: int) -> tuple[int, int] | None:
        """Return the line and the step of the last call before a step that switched recording off."""
        for at in range(min(index, len(self.steps) - 1), -1, -1):
            for one in self.lines.statements(self.steps[at].line):
                if isinstance(one, ast.Expr) and (found := SWITCH.search(self.lines.text(one))):
                    return (self.steps[at].line, at) if found[2] == "False" else None
        return None

    def place(self, line: int) -> tuple[str, int]:
        """Return the file, if it isn't the program's own, and the line in it."""
        for file in reversed(self.trace.files):
            if line >= file.first:
                return file.name, line - file.first + 1
        return "", line

    @cached_property
    def _gaps(self) -> list[int]:
        return [0, *accumulate(bool(step.gap) for step in self.steps)]

    @cached_property
    def first_steps(self) -> dict[int, int]:
        """Return the first step of each line."""
        return {step.line: index for index, step in reversed([*enumerate(self.steps)])}

    def has_gap(self, start: int, end: int) -> bool:
        """Tell whether something between two steps, -1 for the beginning, wasn't watched or is gone."""
        return bool(self.steps) and self._gaps[min(end, len(self.steps) - 1) + 1] > self._gaps[start + 1]

    def loop_end(self, index: int) -> int:
        """Return the last step of the innermost loop around a step."""
        *outer, (line, _) = self.steps[index].loops
        after = (at for at in range(index + 1, len(self.steps)) if not self._is_in(at, (*outer,), line))
        return next(after, len(self.steps)) - 1

    def _is_in(self, index: int, outer: Loops, line: int) -> bool:
        loops, level = self.steps[index].loops, len(outer)
        return loops[:level] == outer and len(loops) > level and loops[level][0] == line

    def end(self, index: int) -> int:
        """Return the last step of the iteration, or of the program, that a step is in."""
        loops = self.steps[index].loops
        rest = range(index + 1, len(self.steps))
        return next((at for at in rest if self.steps[at].loops[: len(loops)] != loops), len(self.steps)) - 1

    @cached_property
    def failed_at(self) -> int:
        """The step of the innermost line that the program's error left, or the last step."""
        at = len(self.steps) - 1
        while at > 0 and self.steps[at - 1].raised:
            at -= 1
        return at

    @cached_property
    def callers(self) -> list[int]:
        """Return, for each step, the step of the line that called its function, or that step itself."""
        return callers(self.steps)

    def caller(self, index: int) -> int | None:
        """Return the step of the line that called the function of a step, None if it isn't known."""
        found = self.callers[index]
        return None if found == index or self.has_gap(index, found) else found

    def made(self, node: Node) -> int:
        """Return the index of the step that recorded a node, -1 if nobody knows."""
        return maker(node, self.steps)

    def before(self, step: Step) -> dict[str, TensorState]:
        """Return the state before a step, {} where it isn't known."""
        return step.before or {}

    def changes(self, index: int, place: str) -> bool:
        """Tell whether a step changed the values of the tensor at a place, as far as it shows them."""
        before = self.before(self.steps[index])
        states = ((before.get(name), one) for name, one in self.steps[index].tensors.items())
        return any(old and old.place == new.place == place and old.value != new.value for old, new in states)

    def base(self, place: str) -> str:
        """Return the place of the tensor that one is a view of, as far as nodes tell; else its own."""
        node = self.nodes.get(id_of(place))
        while node and node.name.startswith(VIEWS) and node.next and node.next[0]:
            place = node.next[0]
            node = self.nodes.get(id_of(place))
        return place

    @cached_property
    def given(self) -> set[str]:
        """Return the leaves to whose `.grad` a pass added."""
        return {leaf for one in self.passes for leaf in one.given()}

    @cached_property
    def stepping(self) -> dict[int, list[Act]]:
        """Return the watched steps of each optimizer."""
        return _grouped(self.of("step"), lambda act: act.of)

    @cached_property
    def in_closures(self) -> set[str]:
        """Return what optimizers held that stepped with a closure."""
        return {place for act in self.of("step") if "later" in act.grads for place in act.places}

    @cached_property
    def kinds(self) -> set[str]:
        """Return the last parts of the names of what optimizers stepped: `weight`, `bias`."""
        return {self.names.get(place, "").rpartition(".")[2] for place in self.stepped} - {""}

    @cached_property
    def trained(self) -> set[str]:
        """Return the leaves that an optimizer holds or that a pass reached."""
        held = {place for act in self.acts if act.kind in ("optimizer", "step") for place in act.places}
        return {place for place in held if place[:1] == "l"} | {
            id for one in self.passes for id in one.ids() if id[:1] == "l"
        }

    @cached_property
    def readings(self) -> list[tuple[int, str]]:
        """Return the places of tensors whose `.grad` lines read, each with the step that did."""
        lines = {line: asked(self.lines.statements(line)) for line in {step.line for step in self.steps}}
        return [
            (index, states[name].place)
            for index, step in enumerate(self.steps)
            for states in [{**step.tensors, **self.before(step)} if lines[step.line] else {}]
            for name in meant(lines[step.line], states)
        ]

    @cached_property
    def touched(self) -> set[str]:
        """Return the places that an operation read, recorded or not, or that are in what a line calls."""
        read = {place for node in self.trace.nodes for place in node.next if place}
        parts = (part for line in self.first_steps for part in self.expressions(line))
        called = {path(part.func) for part in parts if isinstance(part, ast.Call)}
        return read | self.within(filter(None, called)) | {edge.start for edge in self.trace.edges}

    def written(self, places: Collection[str], start: int) -> set[str]:
        """Return the places whose versions increase after a step: unwatched lines may write."""
        versions: dict[str, set[int | None]] = {}
        for step in self.steps[start:]:
            for state in step.tensors.values():
                if state.place in places:
                    versions.setdefault(state.place, set()).add(state.version)
        return {place for place, several in versions.items() if len(several) > 1}

    def behind(self, places: Iterable[str], but: Collection[str] = ()) -> set[str]:
        """Return the ids of the nodes and leaves that a gradient reaches from places, not through some."""
        found = {*but}
        todo = [id_of(place) for place in places]
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                node = self.nodes.get(name)
                todo += [id_of(place) for place in (node.next if node else ()) if place]
        return found


def _grouped(acts: Iterable[Act], key: Callable[[Act], Key]) -> dict[Key, list[Act]]:
    """Return acts by what they have in common."""
    found: dict[Key, list[Act]] = {}
    for act in acts:
        found.setdefault(key(act), []).append(act)
    return found
