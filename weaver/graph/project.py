"""A recorded calculation -> the graph that leads to some of its values."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from weaver.graph.recorded import BackwardStep, BoxOutput, Graph, GraphBox, GraphEdge, SavedValue
from weaver.recording.calculation import Calculation, LiveTensor, Operation, Pass, box_of, number, written
from weaver.recording.compact import shape_of
from weaver.recording.model import Event, Node, Value

LIMIT = 1000  # boxes of the largest graph that is handed on
BEYOND = 100  # slots from here on are inputs of the operation, not of its node, and sort behind those


def project(calculation: Calculation, roots: Sequence[str], backward: object = None) -> Graph:
    """Return the graph that leads to the places `roots`, with the gradients of a pass.

    `backward` is the number of the pass among those that went through one of the roots, from 1; without it
    the last one. Raises ValueError if the graph is larger than LIMIT, and IndexError if there's no such pass.
    """
    return _Projection(calculation, roots).graph(backward)


class _Projection:
    def __init__(self, calculation: Calculation, roots: Sequence[str]):
        self.found, self.roots = calculation, roots
        self.fed: set[str] = set()  # places without history that were computed from something with one
        for place, made in calculation.made.items():
            if place[0] == "p" and self._has_history(made):
                self.fed.add(place)
        self.order = {place: number for number, place in enumerate(calculation.values)}
        self.ways, places = self._reached()
        if len(places) > LIMIT:
            raise ValueError(f"the graph has {len(places)} nodes and tensors, more than {LIMIT}")
        self.places = self._shown(places)
        self.first = {
            box: self.order[shown[0]] if shown else len(self.order) for box, shown in self.places.items()
        }
        self.ids = sorted(self.places, key=lambda box: self.first[box])
        self.left: dict[str, list[LiveTensor]] = {}  # box -> its tensors that are still there
        for one in calculation.left:
            self.left.setdefault(box_of(one.place), []).append(one)

    def graph(self, backward: object) -> Graph:
        roots = tuple(dict.fromkeys(map(box_of, self.roots)))
        through = [
            (number, done)
            for number, done in self.found.passes.items()
            if any(turn.at in roots for turn in done.turns)
        ]
        if backward is not None and not (isinstance(backward, int) and 1 <= backward <= len(through)):
            many = f"{len(through)} backward passes went through this graph"
            raise IndexError(f"backward={backward!r}, but {many}")
        which = backward if isinstance(backward, int) else len(through)
        last, done = through[which - 1] if through else (-1, Pass([]))
        freed = grads = None
        if backward is not None:
            earlier = [one for number, one in self.found.passes.items() if number <= last]
            freed = {id for one in earlier for id in one.freed}
            turns = [turn for one in earlier for turn in one.turns if turn.at[0] == "l"]
            grads = {turn.at: _text(turn.event.after) for turn in turns}
        passed = {turn.at: turn.event for turn in done.turns}
        ways = sorted(self.ways, key=lambda way: (self.first[way.end], way.slot))
        return Graph(
            tuple(self._box(id, freed, grads) for id in self.ids),
            tuple(self._edge(way, passed.get(way.end)) for way in ways),
            roots,
            tuple(self._steps(last, done)),
            tuple(self._shares()),
            done.raised,
            tuple(start for start in done.starts if start in self.places),
        )

    # What leads to the roots

    def _has_history(self, made: Operation) -> bool:
        """Tell whether an operation took, at whatever remove, something that requires grad."""
        return any(place[0] != "p" or place in self.fed for place in made.inputs)

    def _reached(self) -> tuple[list[GraphEdge], dict[str, list[str]]]:
        """Return the edges that lead to the roots, also those behind a cut, and the places in each box."""
        places: dict[str, list[str]] = {}
        ways: list[GraphEdge] = []
        todo = list(self.roots)
        while todo:
            place = todo.pop()
            box = box_of(place)
            is_known = box in places
            places.setdefault(box, []).append(place)
            if not is_known:
                found = list(self._ways(place))
                ways += found
                todo += [way.start for way in found]
        return ways, places

    def _ways(self, place: str) -> Iterator[GraphEdge]:
        """Yield the edges that end in the value at a place; without history only if it was asked for.

        Their ends are places, and their gradients aren't known yet. A node tells what led to it in the graph,
        the operation that ran tells the rest.
        """
        box, made = box_of(place), self.found.made.get(place)
        if box[0] == "n":
            node = self.found.nodes[box]
            used = {box_of(one): one for one in made.inputs} if made else {}
            for slot, earlier in enumerate(node.next):
                if earlier:
                    start = used.get(earlier, f"{earlier}.0") if earlier[0] == "l" else earlier
                    yield GraphEdge(start, box, "recorded", slot)
            made = None if node.custom else made
        elif made and not (self._has_history(made) or (place in self.roots and box[0] == "p")):
            made = None
        for slot, earlier in enumerate(made.inputs if made else ()):
            if earlier[0] == "p":
                yield GraphEdge(earlier, box, "constant", BEYOND + slot)
            elif box[0] != "n" and made:
                yield GraphEdge(earlier, box, "cut", BEYOND + slot, why=made.why)

    def _shown(self, reached: dict[str, list[str]]) -> dict[str, list[str]]:
        """Return the places of each box: a node has all its outputs, a leaf the version that went in."""
        outputs: dict[str, list[str]] = {}
        for place in self.order:
            outputs.setdefault(box_of(place), []).append(place)
        shown = {}
        for box, places in reached.items():
            known = sorted((place for place in places if place in self.order), key=lambda p: self.order[p])
            shown[box] = outputs.get(box, []) if box[0] == "n" else known[:1]
        return shown

    # What is so at the end

    def _box(self, id: str, freed: set[str] | None, grads: dict[str, str | None] | None) -> GraphBox:
        """Return a box; `freed` and `grads` are what was so after an earlier pass, None at the end."""
        places, node, left = self.places[id], self.found.nodes.get(id), self.left.get(id, [])
        made = next((self.found.made[place] for place in places if place in self.found.made), None)
        kept = next((one for one in reversed(left) if one.keeps), None)
        grad = kept.grad if kept else None
        return GraphBox(
            id,
            _kind(id, made),
            tuple(self._value(place, left) for place in places),
            node.name if node else None,
            made.name if made else None,
            custom=bool(node and node.custom),
            saved=self._saved(node) if node else (),
            freed=id in (self.found.freed if freed is None else freed),
            keeps=kept is not None,
            grad=grads.get(id) if kept and grads is not None and id[0] == "l" else grad,
            hooks=max((one.hooks for one in left), default=0),
            inference=any(one.is_inference for one in left),
        )

    def _value(self, place: str, left: list[LiveTensor]) -> BoxOutput:
        known, now = self.found.values[place], None
        for one in left:
            if (place[0] == "l" or one.place == place) and one.text != known.text:
                now = one.text  # written to since, unseen by the graph
        return BoxOutput(tuple(known.names), known.text, known.dtype, known.shape, now)

    def _saved(self, node: Node) -> tuple[SavedValue, ...]:
        changed = self.found.changed.get(node.id, {})
        return tuple(
            SavedValue(
                one.name,
                _text(one.value) if one.is_tensor else number(one.value),
                one.is_tensor,
                one.version,
                changed.get(one.name.split("[")[0], one.version),
            )
            for one in node.saved
        )

    def _shares(self) -> Iterator[tuple[str, ...]]:
        """Yield the boxes whose tensors share storage, group by group."""
        groups: dict[int, dict[str, None]] = {}
        for id in self.ids:
            for one in self.left.get(id, []):
                if one.storage is not None:
                    groups.setdefault(one.storage, {})[id] = None
        yield from (tuple(group) for group in groups.values() if len(group) > 1)

    # What a pass sent

    def _edge(self, way: GraphEdge, event: Event | None) -> GraphEdge:
        """Return an edge; the gradient that the turn `event` sent along it is received, times local."""
        output = int(way.start.split(".")[1]) if way.start[0] == "n" else 0
        edge = replace(way, start=box_of(way.start), output=output)
        if event is None or way.kind != "recorded":
            return edge
        passed, arrived = event.passed or (), event.received or ()
        grad = _text(passed[way.slot]) if way.slot < len(passed) else None
        if grad is None:
            return edge
        received = _text(arrived[0]) if len(arrived) == 1 else None
        local = event.local[way.slot] if event.local and way.slot < len(event.local) else None
        return replace(edge, grad=grad, received=received, local=_text(local))

    def _steps(self, run: int, done: Pass) -> Iterator[BackwardStep]:
        for turn_number, turn in enumerate(done.turns):
            if turn.at in self.places:
                event = turn.event
                received = tuple(map(_text, event.received or ()))
                before, after = _text(event.before), _text(event.after)
                yield BackwardStep(turn.at, received, before, after, turn.frozen, (run, turn_number))


def _kind(id: str, made: Operation | None) -> str:
    if id[0] == "p":
        return "unrecorded" if made and made.inputs else "constant"
    return "operation" if id[0] == "n" else "leaf"


def _text(value: Value) -> str | None:
    """Return a recorded value as a short text, None for None."""
    return None if value is None else written(value, shape_of(value))
