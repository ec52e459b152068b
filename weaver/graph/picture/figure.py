"""Recorded graphs -> one figure: a picture and its steps each, a key below, differences marked."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from weaver.graph.picture.compare import differing
from weaver.graph.picture.fold import fold
from weaver.graph.picture.sentences import tell
from weaver.graph.picture.svg import draw, starts
from weaver.graph.recorded import Graph, read

KEYS = ("forward", "backward", "leaf", "operation", "constant", "cut", "saved", "freed", "changed", "differs")


def figure(
    panels: Sequence[tuple[str, str]], words: Mapping[str, str], before: Sequence[str] = ()
) -> str:
    """Return the figure, as HTML, of panels: each a title as HTML and what `subgraph.see` wrote.

    `words` are the language's, `before` as for `drawings`. Raises model.TooLarge.
    """
    inside, keys = "", set()
    recorded = [recorded for _, recorded in panels]
    for (title, _), (graph, marked, picture) in zip(panels, drawings(recorded, before), strict=True):
        keys |= _keys(graph, marked)
        scrolls = ' tabindex="0"' if 'class="wide"' in picture else ""
        inside += (
            f'<div class="panel"><p class="title">{title}</p><div class="picture"{scrolls}>{picture}</div>'
            f"{_steps(tell(graph, words), words)}</div>"
        )
    key = "".join(f'<li class="{name}">{words[f"graph_key_{name}"]}</li>' for name in KEYS if name in keys)
    return (
        f'<figure class="graph" aria-label="{escape(words["graph"])}">'
        f'<div class="panels">{inside}</div><ul class="key">{key}</ul></figure>'
    )


def drawings(recorded: Sequence[str], before: Sequence[str] = ()) -> Iterator[tuple[Graph, frozenset, str]]:
    """Yield of what `subgraph.see` wrote the folded graph, what differs in it, and its SVG.

    It is compared with the others or, if there is a variant of the program `before` it, with that one's.
    """
    graphs, first = ([fold(read(one, Graph)) for one in some] for some in (recorded, before))
    for number, graph in enumerate(graphs):
        others = first[number : number + 1] or graphs[:number] + graphs[number + 1 :]
        marked = frozenset(differing(graph, others)) if others else frozenset()
        yield graph, marked, draw(graph, marked)


def _keys(graph, marked):
    """Return which entries of the key the picture needs."""
    keys = {"forward"} if graph.edges else set()
    keys |= {"differs"} if marked else set()
    keys |= {"backward"} if starts(graph) or any(edge.grad is not None for edge in graph.edges) else set()
    keys |= {"cut"} if any(edge.kind == "cut" for edge in graph.edges) else set()
    for box in graph.boxes:
        kind = "constant" if box.kind in ("constant", "unrecorded") else box.kind
        keys.add(kind)
        if any(saved.now != saved.version for saved in box.saved):
            keys.add("changed")
        if any(saved.tensor for saved in box.saved):
            keys.add("freed" if box.freed else "saved")
    return keys


def _steps(steps, words):
    """Return the list of steps, closed, and the buttons that a script brings to life."""
    listed = "".join(f'<li data-parts="{" ".join(parts)}">{sentence}</li>' for sentence, parts in steps)
    buttons = "".join(
        f'<button type="button" data-go="{go}">{words[f"graph_{word}"]}</button>'
        for go, word in (("-1", "previous"), ("1", "next"), ("0", "whole"))
    )
    return (
        f'<div class="stepper" role="group" aria-label="{escape(words["graph_steps"])}" hidden>{buttons}'
        f"<output>0 / {len(steps)}</output></div>"
        f'<p class="told" aria-live="polite" hidden>{words["graph_start_here"]}</p>'
        f'<details class="steps"><summary>{words["graph_steps"]}</summary><ol>{listed}</ol></details>'
    )
