"""Which ways data went that a gradient does not go: told from what a line read, and what it gave."""

import ast
from collections.abc import Mapping
from typing import Any

from weaver.recording import torch_private as private
from weaver.recording.lines import SourceLines
from weaver.recording.model import Node, TensorState
from weaver.recording.nodes import Nodes
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.sources import Reading, detached, results

States = dict[str, TensorState]
DEFINITIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
Snapshot = tuple[States, dict[str, int]]  # all that names lead to, and of a container how much was hidden


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

    def __init__(self, lines: SourceLines, graph: Nodes):
        self.lines, self.graph = lines, graph
        self._known: set[str] = set()  # places that have been seen
        self._fed: set[str] = set()  # places without history that came from one with
        self._born: list[Node] = []  # nodes that nobody had seen before the last look

    def begin(self, known: States) -> None:
        """Take what is there as known."""
        self._known.update(facts.place for facts in known.values())

    def enter(self, line: int, before: States, found: States) -> set[str]:
        """Note what a line detached before it called the function whose names lead to what was `found`.

        Return those of the names that lead to what wasn't there at any look before.
        """
        made = self._made(found)
        if made or self._born:
            self._detached(self._statements(line), before, made)
        return set(made)

    def follow(
        self, line: int, before: States, after: States, off: str | None, objects: Mapping[str, Any]
    ) -> None:
        """Note what a line made of what it read; `off` is what kept it from being recorded.

        Its names lead to `objects`, and led to the tensors `before`.
        """
        made = self._made(after)
        if not (made or self._born):
            return
        statements = self._statements(line)
        if len(statements) == 1:
            self._results(statements[0], before, made, off, objects)
        self._detached(statements, before, made)

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
        self, statement: ast.stmt, before: States, made: States, off: str | None, objects: Mapping[str, Any]
    ) -> None:
        """Tie what a line made to what it certainly came from."""
        reading = Reading(before, objects)
        for target, expression in results(statement):
            inside = f"{target}[", f"{target}."
            found = [facts for name, facts in made.items() if name == target or name.startswith(inside)]
            sources = reading.sources(expression) if found else {}
            for facts in found:
                self._result(facts, [(before[name], is_cut) for name, is_cut in sources.items()], off)

    def _result(self, made: TensorState, sources: list[tuple[TensorState, bool]], off: str | None) -> None:
        if made.place[:1] == "n":
            self._constants([one for one, _ in sources], made.place.split(".")[0])
        if made.place[:1] != "p":
            return
        sharing = [one for one in sources if one[0].storage is not None and one[0].storage == made.storage]
        for one, is_cut in sharing or sources:
            is_itself = one.place[1:] == made.place[1:]  # that needs a gradient no more
            if (one.requires_grad or one.place in self._fed) and not is_itself:
                why = "detach" if is_cut else off or "operation"
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

    def _detached(self, statements: list[ast.stmt], before: States, made: States) -> None:
        """Tie what shares its storage with a tensor that the line detached to that tensor.

        It may have no name: a new node saved it.
        """
        cut = {before[name].storage: before[name] for name in detached(statements, before)}
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
