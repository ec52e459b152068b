"""Recorded graphs -> one figure: a picture and its steps each, a key below, differences marked."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from msgspec.structs import replace

from weaver.graph.picture.fold import fold
from weaver.graph.picture.sentences import tell
from weaver.graph.picture.svg import draw, starts
from weaver.graph.recorded import BackwardStep, Graph, GraphBox, GraphEdge, read

KEYS = ("forward", "backward", "leaf", "operation", "constant", "cut", "saved", "freed", "changed", "differs")


@dataclass(frozen=True)
class Panel:
    """A picture and its steps: a title as HTML, the recorded graph as JSON, and the way into the trace.

    `opener` is the HTML that opens the trace in a `place`, an id; `moments` are those of the steps there.
    """

    title: str
    recorded: str
    opener: str = ""
    place: str = ""
    moments: Mapping[BackwardStep, int] = field(default_factory=dict)


def figure(panels: Sequence[Panel], words: Mapping[str, str], before: Sequence[str] = ()) -> str:
    """Return the figure of panels, as HTML; `words` are the language's, `before` as for `drawings`.

    Raises fold.TooLarge.
    """
    inside, keys = "", set()
    drawn = drawings([panel.recorded for panel in panels], before)
    for panel, (graph, marked, picture) in zip(panels, drawn, strict=True):
        keys |= _keys(graph, marked)
        height = re.findall(r'height="([\d.]+)', picture)[0]
        frame = f'class="picture" style="--height:{height}px"'
        if 'class="wide"' in picture:
            picture = f'<div {frame} tabindex="0">{picture}</div>'
        else:
            picture = picture.replace("<svg", f"<svg {frame}", 1)
        inside += (
            f'<div class="panel"><p class="title">{panel.title}</p>{picture}'
            f"{panel.opener}{_steps(panel, graph, words)}</div>"
        )
    key = "".join(f'<li class="{name}">{words[f"graph_key_{name}"]}</li>' for name in KEYS if name in keys)
    return (
        f'<figure class="graph" aria-label="{escape(words["graph"])}">'
        f'{inside}<ul class="key">{key}</ul></figure>'
    )


def drawings(
    recorded: Sequence[str], before: Sequence[str] = ()
) -> Iterator[tuple[Graph, frozenset[str | GraphEdge], str]]:
    """Yield the folded form of each recorded graph, what differs in it, and its SVG.

    It is compared with the others or, if there is a variant of the program `before` it, with that one's.
    """
    graphs, first = ([fold(read(one, Graph)) for one in some] for some in (recorded, before))
    for number, graph in enumerate(graphs):
        others = first[number : number + 1] or graphs[:number] + graphs[number + 1 :]
        marked = frozenset(differing(graph, others)) if others else frozenset()
        yield graph, marked, draw(graph, marked)


def differing(graph: Graph, others: Iterable[Graph]) -> set[str | GraphEdge]:
    """Return the boxes (by id) and edges of `graph` that the other graphs do not have as well.

    Two boxes are the same if they say the same; two edges if they say it between the same boxes.
    """

    def said(graph: Graph) -> dict[str | GraphEdge, object]:
        boxes: dict[str | GraphEdge, GraphBox] = {box.id: replace(box, id="") for box in graph.boxes}
        edges: dict[str | GraphEdge, object] = {
            edge: (boxes[edge.start].name, boxes[edge.end].name, replace(edge, start="", end=""))
            for edge in graph.edges
        }
        return {**boxes, **edges}

    ours = said(graph)
    found = set()
    for other in others:
        theirs = Counter(said(other).values())
        for key, what in ours.items():
            if theirs[what]:
                theirs[what] -= 1
            else:
                found.add(key)
    return found


def _keys(graph: Graph, marked: frozenset[str | GraphEdge]) -> set[str]:
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


def _steps(panel: Panel, graph: Graph, words: Mapping[str, str]) -> str:
    """Return the steps, closed: a text, each line a step, with empty comments around what is code.

    When a reader opens it, `player/view/button.js` makes a list of it, with the buttons into the trace.
    """
    told = tell(graph, words)
    lines = "\n".join(f"{number}. {sentence}" for number, (sentence, _) in enumerate(told, 1))
    text = re.sub("</?code>", "<!---->", lines)
    moments = ",".join(str(panel.moments.get(step, "")) if step else "" for _, step in told)
    place = f' data-for="{panel.place}" data-label="{escape(words["step"])}" data-moments="{moments}"'
    summary = f"<summary>{words['graph_steps']}</summary>"
    return f'<details class="steps"{place * bool(panel.moments)}>{summary}{text}</details>'
