"""The nodes that autograd records, with what they save; noted as they come."""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

from torch import Tensor

from weaver.recording import tensors as t
from weaver.recording import torch_private as private
from weaver.recording.facts import value_of
from weaver.recording.identity import Identity, Storages
from weaver.recording.model import Edge, Node, Range, Saved, id_of
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401

MANY = 10  # times the limit: so many nodes in all, dead ones too
PAUSE = 20  # steps between two counts of the nodes that are alive
Turn = list[int]  # a line that runs: the number of its step, once it has one; -1 until then


class Nodes:
    """The nodes that are known so far, by their ids, and `edges`, by their ends.

    At most `limit` nodes of those that are alive, as far as `alive()` tells their places, and MANY times as
    many in all. `now` is the number of the step that runs. No node and no tensor lives longer for it.
    """

    def __init__(self, limit: int, elements: int, identity: Identity, storages: Storages):
        self.limit, self.elements, self.identity, self.storages = limit, elements, identity, storages
        self.known: dict[str, Node] = {}
        self.edges: dict[tuple[str, str], Edge] = {}
        self.nodes_hidden = self.edges_hidden = 0
        self.now = 0
        self.new: list[Node] = []  # nodes that nobody has asked about yet
        self.saved_in: dict[str, int | None] = {}  # place of what was saved -> its storage
        self._ids: dict[tuple[int, str], str] = {}  # (sequence number, name) -> id
        self._attributes: dict[type, list[str]] = {}  # type of a node -> the names under which it saves
        self._missing: dict[str, list[str]] = {}  # id of a node -> names whose tensors were not there yet
        self.made_by: dict[str, Turn] = {}  # id of a node -> the turn of the line that made it
        self.turn: Callable[[int], Turn | None] = lambda number: None  # sequence number -> such a turn
        self.alive: Callable[[], Iterable[str]] = lambda: self.known
        self._dead, self._counted = 0, -PAUSE  # dead nodes; the step of the last count

    def place(self, tensor: Tensor, follow: bool = True) -> str:
        """Return the tensor's place, its node known from now on, if it is to `follow` the graph from it.

        Raises RuntimeError for a lost view.
        """
        node = t.grad_fn(tensor)
        if node is not None:
            return f"{self.walk(node) if follow else self.id(node)}.{t.output_number(tensor)}"
        is_leaf = t.requires_grad(tensor) and not t.is_unrecorded_view(tensor)
        return f"{'l' if is_leaf else 'p'}{self.identity.number(tensor)}"

    def tie(self, gradients: Iterable[Tensor | None], results: Iterable[Tensor | None]) -> None:
        """Note what a pass gave that isn't recorded, although gradients it was given need one themselves."""
        starts = [self.place(one) for one in gradients if one is not None and t.requires_grad(one)]
        ends = [self.place(one) for one in results if one is not None and not t.requires_grad(one)]
        for start, end in product(starts, ends):
            self.add_edge(start, end, "backward")

    def id(self, node: t.GraphNode) -> str:
        """Return the id of a node, or of the leaf that it adds up the gradient of."""
        if t.is_leaf_node(node):
            return f"l{self.identity.number(node.variable)}"
        key = private.sequence_number(node), t.node_name(node)
        if key not in self._ids:
            self._ids[key] = f"n{len(self._ids)}"
        return self._ids[key]

    def walk(self, root: t.GraphNode) -> str:
        """Note the nodes from `root` on that are not known yet; return the id of `root`."""
        todo = [root]
        while todo:
            node = todo.pop()
            name = self.id(node)
            if name[0] == "l":
                continue
            if name in self._missing:
                self._note_saved(name, node, False)
            if name in self.known:
                continue
            if self._is_full():
                self.nodes_hidden += 1
                break
            earlier = t.inputs(node)
            self.known[name] = Node(
                name,
                t.node_name(node),
                t.is_custom(node),
                tuple(self._input(*one) for one in earlier),
                born=self.now,
            )
            self.new.append(self.known[name])
            if turn := self.turn(private.sequence_number(node)):
                self.made_by[name] = turn
            self._missing[name] = self._names(node)
            self._note_saved(name, node, True)
            todo += [one for one, _ in reversed(earlier) if one is not None]
        return self.id(root)

    def is_of_view(self, node: Node) -> bool:
        """Tell whether a view got this node when a line wrote to it: the write is the next node."""
        behind = self.known.get(id_of(node.next[0])) if node.next and node.next[0] else None
        if not node.name.startswith("AsStrided") or not behind or behind.name != "CopySlices":
            return False
        return self.made_by.get(node.id) is self.made_by.get(behind.id)

    def _is_full(self) -> bool:
        """Tell whether no more nodes are noted; count once in a while which of them are alive."""
        if len(self.known) - self._dead >= self.limit and self.now >= self._counted + PAUSE:
            self._dead, self._counted = len(self.known) - len(self._behind(self.alive())), self.now
        return len(self.known) - self._dead >= self.limit or len(self.known) >= MANY * self.limit

    def _behind(self, places: Iterable[str]) -> set[str]:
        """Return the ids of the known nodes that these places, or anything behind them, name."""
        found, todo = set(), [id_of(place) for place in places]
        while todo:
            name = todo.pop()
            if name in self.known and name not in found:
                found.add(name)
                todo += [id_of(place) for place in self.known[name].next if place]
        return found

    def _input(self, node: t.GraphNode | None, output: int) -> str | None:
        if node is None:
            return None
        name = self.id(node)
        return name if name[0] == "l" else f"{name}.{output}"

    def _names(self, node: t.GraphNode) -> list[str]:
        kind = type(node)
        if kind not in self._attributes:
            self._attributes[kind] = private.saved_attributes(node)
        return self._attributes[kind]

    def _note_saved(self, name: str, node: t.GraphNode, is_new: bool) -> None:
        """Note what the node saved. An output is tied in last of all: it may be there at the next look."""
        missing, found = [], []
        for attribute in self._missing.pop(name):
            if private.is_packed(node, attribute):
                found.append(Saved(private.saved_name(attribute), packed=True))
                continue
            value, problem = private.unpack(node, attribute)
            if problem and is_new and not private.saved_nothing(node):
                found.append(Saved(private.saved_name(attribute)))
            elif private.is_workspace(node, attribute):
                found.append(Saved(private.saved_name(attribute), Range(tuple(t.shape(value)))))
            elif problem or value is None or value == ():
                missing.append(attribute)
            else:
                found += self._saved(private.saved_name(attribute), value)
        self.known[name].saved += tuple(found)
        if missing:
            self._missing[name] = missing

    def _saved(self, name: str, value: Any) -> Iterator[Saved]:
        several = type(value) in (list, tuple)
        for i, one in enumerate(value if several else [value]):
            part = name + f"[{i}]" * several
            if t.is_tensor(one):
                place = self.place(one, follow=False)
                self.saved_in[place] = self.storages.number(one)
                yield Saved(part, value_of(one, self.elements), place, private.version(one))
            elif isinstance(one, int | float) and not isinstance(one, bool):
                yield Saved(part, one - 2**64 if one >= 2**63 else one)  # a dimension counted from the end

    def add_edge(self, start: str, end: str, why: str) -> None:
        """Note a way on which no gradient goes."""
        if (start, end) not in self.edges:
            if len(self.edges) < 4 * self.limit:
                self.edges[start, end] = Edge(start, end, why, self.now)
            else:
                self.edges_hidden += 1

    def storage_of(self, name: str, saved: str | None) -> int | None:
        """Return the storage of what a node saved under a name; None if it isn't known."""
        found = self.known[name].saved if name in self.known else ()
        return next((self.saved_in.get(one.place or "") for one in found if one.name == saved), None)

    def is_packed(self, name: str) -> bool:
        """Tell whether a saved-tensor hook holds what the node saved."""
        return name in self.known and any(saved.packed for saved in self.known[name].saved)

    def holds(self, name: str) -> bool:
        """Tell whether the node, if it is known, saved a tensor, or something that is no longer there."""
        node = self.known.get(name)
        return node is not None and any(saved.is_tensor for saved in node.saved)

    def saves(self, node: t.GraphNode) -> bool:
        """Tell whether a node, which needn't be known, holds a tensor."""
        names = (one for one in self._names(node) if not private.is_packed(node, one))
        found = [private.unpack(node, name)[0] for name in names]
        parts = [part for one in found for part in (one if type(one) in (list, tuple) else [one])]
        return any(map(t.is_tensor, parts))

    def state(self, node: t.GraphNode) -> tuple[bool, dict[str, tuple[int, int]]]:
        """Return whether what a node saved is freed, and by name what was changed: versions saved and met."""
        freed, changed = False, {}
        for attribute in self._names(node):
            if not private.is_packed(node, attribute) and not private.saved_nothing(node):
                problem = private.unpack(node, attribute)[1]
                freed |= private.is_freed(problem)
                if versions := private.versions(problem):
                    changed[private.saved_name(attribute)] = versions
        return freed, changed

    def reached(self, starts: list[t.GraphNode]) -> dict[str, t.GraphNode]:
        """Return the nodes that can be reached from some nodes, by their ids."""
        found: dict[str, t.GraphNode] = {}
        todo = list(starts)
        while todo:
            node = todo.pop()
            name = self.id(node)
            if name not in found:
                found[name] = node
                todo += [one for one, _ in t.inputs(node) if one is not None]
        return found

    def forget(self, places: set[str]) -> None:
        """Drop the nodes that neither these places nor anything behind them name, and what is dead."""
        kept = self._behind(places)
        self.known = {name: node for name, node in self.known.items() if name in kept}
        self._missing = {name: names for name, names in self._missing.items() if name in kept}
        self.made_by = {name: turn for name, turn in self.made_by.items() if name in kept}
        self._dead, self._counted = 0, -PAUSE
        self.identity.forget_the_dead()
