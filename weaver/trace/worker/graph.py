"""The nodes that autograd records, with what they save; noted as they come."""

from itertools import count
from weakref import ref

from torch import Tensor

from weaver.graph.worker import tensors as t
from weaver.graph.worker import torch_private as private
from weaver.graph.worker.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.trace.model import Edge, Node, Range, Saved
from weaver.trace.worker.facts import Storages, value_of


class Graph:
    """What is known of the graph so far: `nodes` by their ids, `edges` by their ends, at most `limit` nodes.

    `now` is the number of the step that runs. No node and no tensor lives longer for it.
    """

    def __init__(self, limit: int, elements: int, storages: Storages):
        self.limit, self.elements, self.storages = limit, elements, storages
        self.nodes, self.edges = {}, {}
        self.nodes_hidden = self.edges_hidden = 0
        self.now = 0
        self.new = []  # nodes that nobody has asked about yet
        self.saved_in = {}  # place of a saved tensor without history -> the number of its storage
        self._ids = {}  # (sequence number, name) -> id
        self._numbers = {}  # id(tensor) -> (weak reference, its number)
        self._count = count()
        self._attributes = {}  # type of a node -> the names under which it saves
        self._missing = {}  # id of a node -> names whose tensors were not there yet

    def place(self, tensor: Tensor) -> str:
        """Return the tensor's place, its node known from now on. Raises RuntimeError for a lost view."""
        node = t.grad_fn(tensor)
        if node is not None:
            return f"{self.walk(node)}.{t.output_number(tensor)}"
        return f"{'l' if t.requires_grad(tensor) else 'p'}{self._number(tensor)}"

    def _number(self, tensor):
        reference, number = self._numbers.get(id(tensor), (None, None))
        if reference is None or reference() is not tensor:
            number = next(self._count)
            self._numbers[id(tensor)] = ref(tensor), number
        return number

    def id(self, node) -> str:
        """Return the id of a node, or of the leaf that it adds up the gradient of."""
        if t.is_leaf_node(node):
            return f"l{self._number(node.variable)}"
        key = private.sequence_number(node), t.node_name(node)
        if key not in self._ids:
            self._ids[key] = f"n{len(self._ids)}"
        return self._ids[key]

    def walk(self, root) -> str:
        """Note the nodes from `root` on that are not known yet; return the id of `root`."""
        todo = [root]
        while todo:
            node = todo.pop()
            name = self.id(node)
            if name[0] == "l":
                continue
            if name in self._missing:
                self._note_saved(name, node)
            if name in self.nodes:
                continue
            if len(self.nodes) >= self.limit:
                self.nodes_hidden += 1
                break
            earlier = t.inputs(node)
            self.nodes[name] = Node(
                name,
                t.node_name(node),
                t.is_custom(node),
                tuple(self._input(*one) for one in earlier),
                born=self.now,
            )
            self.new.append(self.nodes[name])
            self._missing[name] = self._names(node)
            self._note_saved(name, node)
            todo += [one for one, _ in reversed(earlier) if one is not None]
        return self.id(root)

    def _input(self, node, output):
        if node is None:
            return None
        name = self.id(node)
        return name if name[0] == "l" else f"{name}.{output}"

    def _names(self, node):
        kind = type(node)
        if kind not in self._attributes:
            self._attributes[kind] = private.saved_attributes(node)
        return self._attributes[kind]

    def _note_saved(self, name, node):
        """Note what the node saved. An output is tied in last of all: it may be there at the next look."""
        missing, found = [], []
        for attribute in self._missing.pop(name):
            if private.is_packed(node, attribute):
                found.append(Saved(private.saved_name(attribute), packed=True))
                continue
            value, problem = private.unpack(node, attribute)
            if problem:
                found.append(Saved(private.saved_name(attribute)))
            elif t.is_workspace(node, attribute):
                found.append(Saved(private.saved_name(attribute), Range(tuple(t.shape(value)))))
            elif value is None or value == ():
                missing.append(attribute)
            else:
                found += self._saved(private.saved_name(attribute), value)
        self.nodes[name].saved += tuple(found)
        if missing:
            self._missing[name] = missing

    def _saved(self, name, value):
        several = type(value) in (list, tuple)
        for i, one in enumerate(value if several else [value]):
            part = name + f"[{i}]" * several
            if t.is_tensor(one):
                place = self._place(one)
                if place[0] == "p":
                    self.saved_in[place] = self.storages.number(one)
                yield Saved(part, value_of(one, self.elements), place, private.version(one))
            elif isinstance(one, int | float) and not isinstance(one, bool):
                yield Saved(part, one - 2**64 if one >= 2**63 else one)  # a dimension counted from the end

    def _place(self, tensor):
        """Return the place of what was saved, without following the graph from it."""
        node = t.grad_fn(tensor)
        if node is not None:
            return f"{self.id(node)}.{t.output_number(tensor)}"
        return f"{'l' if t.requires_grad(tensor) else 'p'}{self._number(tensor)}"

    def add_edge(self, start: str, end: str, why: str) -> None:
        """Note a way on which no gradient goes."""
        if (start, end) not in self.edges:
            if len(self.edges) < 4 * self.limit:
                self.edges[start, end] = Edge(start, end, why, self.now)
            else:
                self.edges_hidden += 1

    def is_packed(self, name: str) -> bool:
        """Tell whether a saved-tensor hook holds what the node saved."""
        return name in self.nodes and any(saved.packed for saved in self.nodes[name].saved)

    def mismatch(self, node) -> tuple[str | None, int | None, int | None]:
        """Return what the node saved that was changed since, with the versions saved and met."""
        for attribute in self._names(node):
            if private.is_packed(node, attribute):
                continue
            if found := private.versions(private.unpack(node, attribute)[1]):
                return private.saved_name(attribute), *found
        return None, None, None

    def forget(self, places: set[str]) -> None:
        """Drop the nodes that neither these places nor anything behind them name, and what is dead."""
        kept, todo = set(), [place.split(".")[0] for place in places]
        while todo:
            name = todo.pop()
            if name in self.nodes and name not in kept:
                kept.add(name)
                todo += [place.split(".")[0] for place in self.nodes[name].next if place]
        self.nodes = {name: node for name, node in self.nodes.items() if name in kept}
        self._missing = {name: names for name, names in self._missing.items() if name in kept}
        self._numbers = {key: one for key, one in self._numbers.items() if one[0]() is not None}
