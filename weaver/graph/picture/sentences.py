"""A graph -> sentences in a language, one for each step: first the calculation, then the way back."""

from collections.abc import Iterator, Mapping
from html import escape

from weaver.graph.picture.svg import starts
from weaver.graph.recorded import BackwardStep, BoxOutput, Graph, GraphBox, GraphEdge


def tell(graph: Graph, words: Mapping[str, str]) -> list[tuple[str, BackwardStep | None]]:
    """Return the steps of a graph: each a sentence as HTML, and on the way back the turn that it tells of.

    `words` are the language's templates, `graph_leaf` and so on; see `words`.
    """
    return [*((" ".join(_about(box, graph, words)), None) for box in graph.boxes), *_backward(graph, words)]


def _about(box: GraphBox, graph: Graph, words: Mapping[str, str]) -> Iterator[str]:
    """Yield the sentences on one box: what it is, where the way is cut, what it saved and so on."""

    def say(key: str, **facts: object) -> str:
        return words[f"graph_{key}"].format(**facts)

    yield say(
        "custom" if box.custom else box.kind,
        name=_code(box.name),
        value=" ".join(_code(_assigned(value)) for value in box.outputs),
        verb=_code(box.verb),
        node=_code(box.node or ""),
        times=box.times,
        inside=" ".join(dict.fromkeys(_code(inner.node) for inner in box.inside if inner.node)),
    )
    for edge in graph.edges:
        if edge.end == box.id and edge.kind == "cut":
            yield say(f"cut_{edge.why}", before=_code(graph.box(edge.start).name))
    if saved := [saved for saved in box.saved if saved.tensor]:
        texts = (one.name if one.value is None else f"{one.name} = {one.value}" for one in saved)
        listed = ", ".join(map(_code, texts))
        yield say("freed" if box.freed else "saved", saved=listed)
    for one in saved:
        if one.now != one.version:
            yield say("changed", changed=_code(one.name), version=one.version, now=one.now)
    if written := [value.now for value in box.outputs if value.now]:
        yield say("written", written=_code(written[0]))
    if box.inside and box.kind != "folded":
        yield say("inputs", inputs=", ".join(_code(inner.name) for inner in box.inside))
    shared = [graph.box(id).name for group in graph.shares if box.id in group for id in group if id != box.id]
    if shared:
        yield say("shares", shared=", ".join(map(_code, shared)))
    if box.keeps and not any(step.at == box.id for step in graph.steps):
        yield say("grad", grad=_code(str(box.grad)))


def _backward(graph: Graph, words: Mapping[str, str]) -> Iterator[tuple[str, BackwardStep | None]]:
    begun, folded = starts(graph), set()
    for step in graph.steps:
        try:
            box = graph.box(step.at)
        except KeyError:
            continue  # passed over in a folded graph
        if box.kind == "folded":
            if box.id not in folded:
                folded.add(box.id)
                yield words["graph_back_folded"].format(times=box.times), step
            continue
        own = box if box.id == step.at else next(inner for inner in box.inside if inner.id == step.at)
        received = [_code(grad) for grad in step.received if grad is not None]
        facts = {"name": _code(own.name), "node": _code(own.node or ""), "received": ", ".join(received)}
        if own.kind == "leaf":
            arrived = [edge.grad for edge in graph.edges if edge.start == own.id and edge.grad is not None]
            facts["sum"] = f"{_code(' + '.join(arrived))} = " if len(arrived) > 1 else ""
            facts |= {"before": _code(str(step.before)), "after": _code(str(step.after))}
            yield words[_key_at_a_leaf(step, received)].format(**facts), step
            continue
        taken = [edge for edge in graph.edges if edge.end == own.id and edge.grad is not None]
        passed = [
            words["graph_passes"].format(to=_code(graph.box(edge.start).name), what=_code(_passed(edge)))
            for edge in taken
        ]
        key = "graph_back_start" if step.at in begun and step.at in graph.starts else "graph_back"
        if not received:
            key = "graph_back_nothing"
        yield " ".join([words[key].format(**facts), *passed]), step
    if graph.raised:
        yield words["graph_back_raised"].format(error=_code(graph.raised)), None


def _key_at_a_leaf(step: BackwardStep, received: list[str]) -> str:
    """Return the sentence's key for what happens where a gradient arrives at a leaf."""
    if not received:
        return "graph_back_leaf_nothing"
    if step.frozen:
        return "graph_back_leaf_frozen"
    return "graph_back_leaf_emptied" if step.after is None else "graph_back_leaf"


def _passed(edge: GraphEdge) -> str:
    if edge.local is None or edge.received is None:
        return str(edge.grad)
    return f"{edge.received} × {edge.local} = {edge.grad}"


def _assigned(value: BoxOutput) -> str:
    names = " = ".join(value.names[-2:])
    text = f"{names} = {value.value}" if names else value.value
    return text if value.dtype == "float32" else f"{text} ({value.dtype})"


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"
