"""A graph -> sentences in a language, one for each step: first the calculation, then the way back."""

from collections.abc import Mapping
from html import escape

from weaver.graph.draw import starts
from weaver.graph.model import Graph


def tell(graph: Graph, words: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """Return the steps of a graph: each a sentence as HTML and the parts of the picture it speaks of.

    `words` are the language's templates, `graph_leaf` and so on; see `words`.
    """
    return [*_forward(graph, words), *_backward(graph, words)]


def _forward(graph, words):
    numbers = {box.id: number for number, box in enumerate(graph.boxes)}
    for box in graph.boxes:
        facts = {
            "name": _code(box.name),
            "value": " ".join(_code(_assigned(value)) for value in box.outputs),
            "verb": _code(box.verb),
            "node": _code(box.node or ""),
            "times": box.times,
            "inside": " ".join(dict.fromkeys(_code(inner.node) for inner in box.inside if inner.node)),
        }
        into = [edge for edge in graph.edges if edge.end == box.id]
        cuts = [edge for edge in into if edge.kind == "cut"]
        sentences = [words["graph_custom" if box.custom else f"graph_{box.kind}"]]
        for edge in cuts:
            sentences.append(words[f"graph_cut_{edge.why}"])
            facts["before"] = _code(graph.box(edge.start).name)
        saved = [saved for saved in box.saved if saved.tensor]
        if saved:
            facts["saved"] = ", ".join(_code(_assigned_saved(one)) for one in saved)
            sentences.append(words["graph_freed" if box.freed else "graph_saved"])
        for changed in (one for one in saved if one.now != one.version):
            facts |= {"changed": _code(changed.name), "version": changed.version, "now": changed.now}
            sentences.append(words["graph_changed"])
        written = [value for value in box.outputs if value.now]
        if written:
            facts["written"] = _code(written[0].now)
            sentences.append(words["graph_written"])
        if box.inside and box.kind != "folded":
            facts["inputs"] = ", ".join(_code(inner.name) for inner in box.inside)
            sentences.append(words["graph_inputs"])
        shared = [
            graph.box(id).name for group in graph.shares if box.id in group for id in group if id != box.id
        ]
        if shared:
            facts["shared"] = ", ".join(map(_code, shared))
            sentences.append(words["graph_shares"])
        if box.keeps and not any(step.at == box.id for step in graph.steps):
            facts["grad"] = _code(str(box.grad))
            sentences.append(words["graph_grad"])
        yield " ".join(sentences).format(**facts), [f"b{numbers[box.id]}"]


def _backward(graph, words):
    numbers = {box.id: number for number, box in enumerate(graph.boxes)}
    edges = {edge: f"e{number}" for number, edge in enumerate(graph.edges)}
    begun, folded = starts(graph), set()
    for step in graph.steps:
        try:
            box = graph.box(step.at)
        except KeyError:
            continue  # passed over in a folded graph
        if box.kind == "folded":
            if box.id not in folded:
                folded.add(box.id)
                yield words["graph_back_folded"].format(times=box.times), [f"b{numbers[box.id]}"]
            continue
        own = box if box.id == step.at else next(inner for inner in box.inside if inner.id == step.at)
        received = [_code(grad) for grad in step.received if grad is not None]
        facts = {"name": _code(own.name), "node": _code(own.node or ""), "received": ", ".join(received)}
        parts = [f"b{numbers[box.id]}"]
        if step.at in begun:
            parts.append(f"s{step.at}")
        if own.kind == "leaf":
            arrived = [edge.grad for edge in graph.edges if edge.start == own.id and edge.grad is not None]
            facts["sum"] = f"{_code(' + '.join(arrived))} = " if len(arrived) > 1 else ""
            facts |= {"before": _code(str(step.before)), "after": _code(str(step.after))}
            own_line = [f"g{numbers[box.id]}"] if own is box and box.keeps else []
            yield words["graph_back_leaf"].format(**facts), parts + own_line
            continue
        passed = []
        for edge in graph.edges:
            if edge.end == own.id and edge.grad is not None:
                parts.append(edges[edge])
                what = (
                    edge.grad
                    if edge.local is None or edge.received is None
                    else (f"{edge.received} × {edge.local} = {edge.grad}")
                )
                passed.append(
                    words["graph_passes"].format(to=_code(graph.box(edge.start).name), what=_code(what))
                )
        key = "graph_back_start" if step.at in begun else "graph_back"
        yield " ".join([words[key].format(**facts), *passed]), parts
    if graph.raised:
        yield words["graph_back_raised"].format(error=_code(graph.raised)), []


def _assigned(value):
    names = " = ".join(value.names[-2:])
    text = f"{names} = {value.value}" if names else value.value
    return text if value.dtype == "float32" else f"{text} ({value.dtype})"


def _assigned_saved(saved):
    return saved.name if saved.value is None else f"{saved.name} = {saved.value}"


def _code(text):
    return f"<code>{escape(text)}</code>"
