"""Which ways data went that a gradient does not go: told from what a line read, and what it gave."""

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from torch import Tensor

from weaver.recording import tensors as t
from weaver.recording import torch_private as private
from weaver.recording.lines import SourceLines, asked
from weaver.recording.model import Event, Node, NoGradient, TensorState, id_of
from weaver.recording.nodes import Nodes
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.sources import COMPARED, GRAD, Reading, Sources, detached, is_out, results
from weaver.recording.unreached import Unreached
from weaver.recording.values import NamedValues, Origins, Values

States = dict[str, TensorState]
# What kept an operation from being recorded; nothing, if it has no derivative
UNRECORDED = {
    None: "",
    "no_grad": "torch.no_grad()",
    "inference_mode": "torch.inference_mode()",
    "set_grad_enabled": "torch.set_grad_enabled(False)",
}
DETACHES = re.compile(r"\.(detach_?\(|data\b)")
DEFINITIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef


class Snapshot(NamedTuple):
    """What names lead to after a line, of a container how much was hidden, the gradients that were None.

    And where numbers and arrays came from, by their names, and whether the line returned what requires grad,
    and what kept its operations from being recorded.
    """

    tensors: States
    hidden: dict[str, int]
    missing: tuple[NoGradient, ...]
    values: NamedValues
    is_recorded: bool
    off: str | None


def cut() -> str | None:
    """Return what keeps operations from being recorded now; None if they are."""
    inference = private.is_inference_mode_enabled()
    if private.is_grad_enabled() and not inference:
        return None
    if private.in_custom_forward():
        return "forward"
    return "inference_mode" if inference else "no_grad"


class Flow:
    """Adds to the graph the edges without gradient, after each line.

    Nothing is put between the program and torch for it, as that would change which of its ways torch
    takes. So an edge is there only where the line itself leaves no doubt: see `sources`.
    """

    def __init__(self, lines: SourceLines, graph: Nodes, unreached: Unreached):
        self.lines, self.graph, self.unreached = lines, graph, unreached
        self.values = Values()
        self.on_number: Callable[[int, str, str, str], None] | None = None  # see `Training.uses`
        self._detach, self._looked = set[str](), 0  # see `_detaching`; how many lines there were then
        self._known: set[str] = set()  # places that have been seen
        self._fed: set[str] = set()  # places without history that came from one with
        self._born: list[Node] = []  # nodes that nobody had seen before the last look
        self._cut: list[tuple[str, str]] = []  # places that a line detached, each with a node it made of them
        self._returned: list[TensorState] = []  # by the line before, if that was the last of a function

    def begin(self, known: States) -> None:
        """Take what is there as known."""
        self._known.update(facts.place for facts in known.values())

    def enter(self, line: int, before: States, found: States) -> set[str]:
        """Note what a line detached before it called the function whose names lead to what was `found`.

        Return those of the names that lead to what wasn't there at any look before.
        """
        made = self._made(found)
        if made or self._born:
            self._detached(line, self._statements(line), before, made)
        return set(made)

    def follow(
        self,
        line: int,
        before: States,
        after: States,
        off: str | None,
        objects: Mapping[str, Any],
        values: NamedValues,
    ) -> None:
        """Note what a line made of what it read; `off` is what kept it from being recorded.

        Its names lead to `objects`, and led to the tensors `before` and to `values` that came from some.
        """
        made, statements = self._made(after), self._statements(line)
        one = statements[0] if len(statements) == 1 else None
        if one and (made or self._born or values or self.values.may_be_in(self.lines.text(one))):
            self._results(line, one, Reading(before, objects, values, one), made, off)
        if made or self._born:
            self._detached(line, statements, before, made)
        self._tie_the_cut()
        self._wrapped(line, statements, before, made)
        self._returned = [facts for name, facts in after.items() if re.match(r"return\b", name)]

    def missing(
        self, line: int, before: States, state: States, tensors: Mapping[str, Tensor]
    ) -> tuple[NoGradient, ...]:
        """Return why gradients of the tensors are None that a line read, but of those that it replaced."""
        statements = self._statements(line) if self.unreached.last else []
        statements = [one for one in statements if ".grad" in self.lines.text(one)]
        then = {**state, **before}
        names = (name for name in asked(statements) if name in state)
        names = (name for name in names if then[name].place[1:] == state[name].place[1:])
        none = (name for name in names if f"{name}.grad" not in state)
        found = (self.why(name, state[name].place, t.retains_grad(tensors[name])) for name in none)
        return tuple(one for one in found if one)

    def why(self, name: str, place: str, keeps: bool) -> NoGradient | None:
        """Return why a gradient is None; None if it isn't certain, as in a program that sets some itself."""
        found = self.unreached.why(name, place, keeps)
        return None if found and found.why == "apart" and self.lines.set_gradients() else found

    def unstarted(self, events: list[Event], state: States) -> tuple[NoGradient, ...]:
        """Return what cut off the tensors of a state at which the engine couldn't start."""
        roots = {event.node for event in events if event.kind == "failed" and (event.node or "")[:1] == "p"}
        names = {facts.place: name for name, facts in reversed(state.items()) if facts.place in roots}
        found = (self.unreached.cut_off(name, place) for place, name in names.items())
        return tuple(one for one in found if one)

    def _statements(self, line: int) -> list[ast.stmt]:
        return [one for one in self.lines.statements(line) if not isinstance(one, DEFINITIONS)]

    def _made(self, after: States) -> States:
        """Return what wasn't there at any look before, by its names."""
        self._born, self.graph.new = self.graph.new, []
        made = {
            name: facts
            for name, facts in after.items()
            if facts.place not in self._known and not name.endswith(".grad")
        }
        self._known.update(facts.place for facts in after.values())
        return made

    def _results(
        self, line: int, statement: ast.stmt, reading: Reading, made: States, off: str | None
    ) -> None:
        """Tie what a line made to what it certainly came from."""
        before = reading.before
        for target, expression in results(statement):
            inside = f"{target}[", f"{target}."
            found = [facts for name, facts in made.items() if name == target or name.startswith(inside)]
            value = None if found else reading.leads_to(target)
            sources = reading.sources(expression) if found or self.values.can_be(value) else {}
            origins = self._origins(line, sources, reading)
            if value is not None:
                self.values.note(value, origins)
            for facts in found:
                tied = {one: cut for one, cut in sources.items() if one in before and not is_out(cut)}
                self._result(facts, [(before[one], cut) for one, cut in tied.items()], off)
                self._ways(line, facts, origins, off)

    def _origins(self, line: int, sources: Sources, reading: Reading) -> Origins:
        """Return the places that something came from, each with what cut the gradient's path on the way."""
        found: Origins = {}
        before = reading.before
        for name, cut in sources.items():
            if name not in before:
                found |= reading.values[name]
            elif before[name].requires_grad or before[name].place in self._fed:
                is_cut = cut not in ("", COMPARED) and before[name].requires_grad
                found[before[name].place] = (line, cut) if is_cut else None
        return found

    def _ways(self, line: int, made: TensorState, origins: Origins, off: str | None) -> None:
        """Note where a line cut the path of a gradient."""
        is_plain = made.place[:1] == "p"
        for start, cut in origins.items():
            if self.on_number and cut and is_out(cut[1]) and made.place[:1] == "n":
                self.on_number(*cut, start, made.place)
            if start[1:] != made.place[1:] and (cut or is_plain or start[:1] == "p"):
                is_cut = is_plain and start[:1] != "p" and off in UNRECORDED
                self.unreached.note(start, made.place, cut or ((line, UNRECORDED[off]) if is_cut else None))
                self._fed.update([made.place] if is_plain else [])

    def _result(self, made: TensorState, sources: list[tuple[TensorState, str]], off: str | None) -> None:
        if (end := id_of(made.place))[:1] == "n":
            self._constants([one for one, _ in sources], end)
            if any(node.id == end for node in self._born):
                whole = {one.place for one, cut in sources if cut in ("", COMPARED)}
                cut_off = [one.place for one, cut in sources if cut not in ("", GRAD) and one.requires_grad]
                self._cut += [(place, end) for place in cut_off if place not in whole]
        # What torch calls a leaf, as it's a view that was made without recording
        is_view = made.place[:1] == "l" and off in UNRECORDED and made.storage is not None
        if made.place[:1] != "p" and not (is_view and made.storage in {one.storage for one, _ in sources}):
            return
        sharing = [one for one in sources if one[0].storage is not None and one[0].storage == made.storage]
        for one, cut in sharing or sources:
            is_itself = one.place[1:] == made.place[1:]  # that needs a gradient no more
            if (one.requires_grad or one.place in self._fed) and not is_itself:
                by = {"": off or "operation", COMPARED: off or "operation", GRAD: "backward"}
                why = by.get(cut, "detach")
                self._fed.add(made.place)
                self.graph.add_edge(one.place, made.place, why if one.requires_grad else "constant")

    def _constants(self, sources: list[TensorState], end: str) -> None:
        """Tie what went into a new node without a history, where no node says that it saved it."""
        if all(node.id != end for node in self._born):
            return
        saved = {one.place for node in self._born for one in node.saved}
        for one in sources:
            if one.place[:1] == "p" and one.place not in saved:
                self.graph.add_edge(one.place, end, "constant")

    def _detached(self, line: int, statements: list[ast.stmt], before: States, made: States) -> None:
        """Tie what shares its storage with a tensor that the line detached to that tensor.

        It may have no name: a new node saved it. And so may that tensor: a function returned it to the line.
        """
        names = detached(statements, before, self._detaching())
        does_cut = any(DETACHES.search(self.lines.text(one)) for one in statements)
        cut = {one.storage: one for one in self._returned if does_cut}
        cut |= {before[name].storage: before[name] for name in names}
        cut = {storage: one for storage, one in cut.items() if storage is not None and one.requires_grad}
        new = {facts.place: facts.storage for facts in made.values()} if cut else {}
        for node in self._born:
            for place in dict.fromkeys(one.place for one in node.saved if one.place and one.place[0] == "p"):
                new[place] = self.graph.saved_in.get(place)
                self.graph.add_edge(place, node.id, "constant")
        for place, storage in new.items():
            if place[:1] == "p" and place not in self._fed and storage in cut:
                self._fed.add(place)
                self.graph.add_edge(cut[storage].place, place, "detach")
                self.unreached.note(cut[storage].place, place, (line, "detach()"))

    def _detaching(self) -> set[str]:
        """Return the names of the program's functions whose text detaches something."""
        if self._looked != len(self.lines.texts):  # another file was imported
            self._looked = len(self.lines.texts)
            functions = [one for one in self.lines.every() if isinstance(one, ast.FunctionDef)]
            self._detach = {one.name for one in functions if DETACHES.search(self.lines.text(one))}
        return self._detach

    def _wrapped(self, line: int, statements: list[ast.stmt], before: States, made: States) -> None:
        """Note that a new parameter shares the storage of what it was made from, and starts a new graph."""
        if any("Parameter(" in self.lines.text(one) for one in statements):
            held = {one.storage: one.place for one in before.values() if one.place[:1] == "n"}
            for facts in made.values():
                if facts.place[:1] == "l" and facts.storage in held and facts.storage is not None:
                    self.graph.add_edge(held[facts.storage], facts.place, "parameter")
                    self.unreached.note(held[facts.storage], facts.place, (line, "nn.Parameter()"))

    def _tie_the_cut(self) -> None:
        """Tie what a line detached without a name to the node it went into, unless it tied a part of that."""
        cut, self._cut = self._cut, []
        now, edges = self.graph.now, self.graph.edges.values() if cut else ()
        tied = {edge.start for edge in edges if edge.born == now and edge.why == "detach"}
        for start, end in cut:
            if start not in tied:
                self.graph.add_edge(start, end, "detach")
