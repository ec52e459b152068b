"""Which ways data went that a gradient does not go: told from what a line read, and what it gave."""

from weaver.graph.worker import torch_private as private
from weaver.graph.worker.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.trace.model import Facts
from weaver.trace.worker.graph import Graph
from weaver.trace.worker.lines import Lines

CUTS = ("detach", "detach_", "data")  # attributes that cut


class Flow:
    """Adds to the graph the edges without gradient, after each line.

    Nothing is put between the program and torch for it, as that would change which of its ways torch
    takes. So it is as exact as a line: what has no history came from all that the line read which has.
    """

    def __init__(self, lines: Lines, graph: Graph):
        self.lines, self.graph = lines, graph
        self._known = set()  # places that have been seen
        self._fed = set()  # places without history that came from one with

    def begin(self, known: dict[str, Facts]) -> None:
        """Take what is there before the first line as known."""
        self._known.update(facts.place for facts in known.values())

    @staticmethod
    def cut() -> str | None:
        """Return what keeps operations from being recorded now; None if they are."""
        inference = private.is_inference_mode_enabled()
        if private.is_grad_enabled() and not inference:
            return None
        if private.in_custom_forward():
            return "forward"
        return "inference_mode" if inference else "no_grad"

    def follow(self, line: int, before: dict[str, Facts], after: dict[str, Facts], cut: str | None) -> None:
        """Note what a line made of what it read; `cut` is what kept it from being recorded."""
        made = {
            facts.place: facts
            for name, facts in after.items()
            if facts.place not in self._known and not name.endswith(".grad")
        }
        self._known.update(facts.place for facts in after.values())
        born, self.graph.new = self.graph.new, []
        if not made:
            return
        reads = self.lines.reads(line)
        used = [facts for name, facts in {**after, **before}.items() if _is_read(name, reads)]
        used = list({facts.place: facts for facts in used if facts.place not in made}.values())
        for facts in made.values():
            if facts.place[:1] == "p":
                why = cut or ("detach" if any(one.split(".")[-1] in CUTS for one in reads) else "operation")
                self._cut(used, facts, why)
        self._saved(born, [*used, *after.values()])
        self._constants(used, made, born)

    def _cut(self, used, made, why):
        sharing = [one for one in used if one.storage is not None and one.storage == made.storage]
        for one in sharing or used:
            is_itself = one.place[1:] == made.place[1:]  # that needs a gradient no more
            if (one.requires_grad or one.place in self._fed) and not is_itself:
                self._fed.add(made.place)
                self.graph.add_edge(one.place, made.place, why if one.requires_grad else "constant")

    def _saved(self, born, known):
        """Tie what new nodes saved, and no name leads to, to what it shares its storage with."""
        for node in born:
            for place in dict.fromkeys(one.place for one in node.saved if (one.place or "")[:1] == "p"):
                storage = self.graph.saved_in.get(place)
                for one in known:
                    if one.requires_grad and one.storage == storage and place not in self._fed:
                        self._fed.add(place)
                        self.graph.add_edge(one.place, place, "detach")
                self.graph.add_edge(place, node.id, "constant")

    def _constants(self, used, made, born):
        """Tie what a line read, and has no history, to the nodes it made, where no node says it saved it."""
        saved = {one.place for node in born for one in node.saved}
        ends = {place.split(".")[0] for place in made if place[:1] == "n"} & {node.id for node in born}
        for one in used:
            if one.place[:1] == "p" and one.place not in saved:
                for end in sorted(ends):
                    self.graph.add_edge(one.place, end, "constant")


def _is_read(name, reads):
    """Tell whether what a line reads leads through the tensor of this name, or to it."""
    return any(
        name == one or name.startswith((f"{one}.", f"{one}[")) or one.startswith((f"{name}.", f"{name}["))
        for one in reads
    ) and not name.endswith(".grad")
