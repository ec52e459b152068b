"""Why a gradient is None after a backward pass: which line cut the path to the tensor, if one did."""

from dataclasses import dataclass

from weaver.recording.model import NoGradient, id_of
from weaver.recording.nodes import Nodes
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401

Cut = tuple[int, str]  # the line, and what cut: `detach()`, nothing if the operation has no derivative
MANY = 10_000  # paths that data took and no gradient takes


@dataclass(slots=True)
class LastPass:
    """A backward pass that came to its end: the places where it started, what it could reach from there."""

    roots: list[str]
    reached: set[str]  # ids of nodes and leaves
    known: int  # how many tensors had been seen


class Unreached:
    """Notes which lines cut a path and what passes reached, and says why a gradient is None."""

    def __init__(self, graph: Nodes):
        self.graph = graph
        self.last: LastPass | None = None
        self.is_sure = True  # no pass ran unseen, and none was too large to be seen whole
        self.held: set[str] = set()  # leaves, by optimizers that have stepped
        self._reached: set[str] = set()  # leaves, by any pass
        self._ways: dict[str, dict[str, Cut | None]] = {}  # end -> start -> what cut there, if anything did

    def note(self, start: str, end: str, cut: Cut | None) -> None:
        """Note that data went from one place to another, and what cut the gradient's path there."""
        if len(self._ways) < MANY:
            self._ways.setdefault(_end(end), {}).setdefault(id_of(start), cut)

    def note_pass(self, is_backward: bool, roots: list[str], reached: set[str]) -> None:
        """Note that a pass ended that `backward` began, or `torch.autograd.grad`, which adds up nothing."""
        self._reached |= {name for name in reached if name[0] == "l"}
        if is_backward:
            self.last = LastPass(roots, reached, self.graph.identity.given)

    def why(self, name: str, place: str, keeps: bool) -> NoGradient | None:
        """Return why the gradient of a tensor at a place, which is None, is; None if that isn't certain.

        An intermediate tensor may keep its gradient.
        """
        if not self.last:
            return None
        if place[:1] == "n":
            return None if keeps else NoGradient(name, "intermediate")
        if place[:1] == "p":
            made = next((cut for cut in self._ways.get(place, {}).values() if cut and cut[1]), None)
            return NoGradient(name, "made", "", *made) if made else NoGradient(name, "plain")
        if not (self.is_sure and self.is_unreached(place)):
            return None
        cut, root = self._cut(place), self.last.roots[0]
        if cut is None:
            return NoGradient(name, "apart", root)
        return NoGradient(name, "cut" if cut[1] else "operation", root, *cut)

    def cut_off(self, name: str, place: str) -> NoGradient | None:
        """Return what cut off a tensor without history on its way from one that has; None if nobody knows."""
        todo = [place]
        for end in todo:  # which grows
            for start, cut in self._ways.get(_end(end), {}).items():
                if cut and cut[1]:
                    return NoGradient(name, "start", "", *cut)
                todo += [start] if start not in todo else []
        return None

    def is_trained(self, leaf: str) -> bool:
        """Tell whether an optimizer that stepped holds a leaf; if none stepped, any may be trained."""
        return not self.held or leaf in self.held

    def is_unreached(self, leaf: str) -> bool:
        """Tell whether a leaf was there before the last pass, and no pass has reached it."""
        if not self.last or leaf[:1] != "l" or leaf in self._reached:
            return False
        return int(leaf[1:]) < self.last.known

    def _cut(self, leaf: str) -> Cut | None:
        """Return what cut the path from where the last pass started to a leaf, the nearest to that start.

        That's what a line cut, if one did, rather than an operation that has no derivative.
        """
        assert self.last
        todo, seen = [*map(id_of, self.last.roots), *self.last.reached], set()
        operation = None
        for end in todo:  # which grows
            if end in seen:
                continue
            seen.add(end)
            for start, cut in self._ways.get(_end(end), {}).items():
                if cut and (cut[1] or not operation) and self._leads(start, leaf):
                    if cut[1]:
                        return cut
                    operation = cut
                todo += [] if cut else [start]
            node = self.graph.known.get(end)
            todo += [one.place for one in (node.saved if node else ()) if one.place and one.place[0] == "p"]
        return operation

    def _leads(self, start: str, leaf: str) -> bool:
        """Tell whether the graph leads from a place back to a leaf."""
        todo, seen = [start], set()
        while todo:
            name = todo.pop()
            if name == leaf:
                return True
            if name not in seen:
                seen.add(name)
                node = self.graph.known.get(name)
                todo += [id_of(place) for place in (node.next if node else ()) if place]
        return False


def _end(place: str) -> str:
    """Return the same for a tensor before and after it was made a leaf."""
    return id_of(place).replace("l", "p")
