"""Which tensors lie in the same storage, and on which of its elements, drawn as SVG and told."""

from collections.abc import Mapping
from html import escape

from weaver.graph.recorded import read
from weaver.recording.memory import Memory

CELL, ROW, GUTTER = 26, 20, 10  # pixels: height of an element, of a tensor's line, beside the names


def draw(seen: str) -> str:
    """Return the SVG: a strip of elements for each storage, under it a line for each tensor on it."""
    memory = read(seen, Memory)
    gutter = 8 * max(len(tensor.name) for tensor in memory.tensors) + GUTTER
    cell = 8 * max(len(text) for storage in memory.storages for text in storage) + 14
    drawn, y, width = [], 0, 0
    for index, storage in enumerate(memory.storages):
        for i, text in enumerate(storage):
            x = gutter + i * cell
            drawn.append(f'<rect class="element" x="{x}" y="{y}" width="{cell}" height="{CELL}"/>')
            drawn.append(f'<text class="value" x="{x + cell / 2:g}" y="{y + 18}">{escape(text)}</text>')
        width = max(width, gutter + len(storage) * cell)
        y += CELL + 4
        for tensor in memory.tensors:
            if tensor.storage == index:
                drawn.append(
                    f'<text class="name" x="{gutter - GUTTER}" y="{y + 13}">{escape(tensor.name)}</text>'
                )
                for i in sorted(set(tensor.elements)):
                    x = gutter + i * cell
                    drawn.append(
                        f'<rect class="covered" x="{x + 2}" y="{y + 4}" width="{cell - 4}" height="9"/>'
                    )
                y += ROW
        y += 14
    size = f'viewBox="-2 -2 {width + 4} {y - 10}" width="{width + 4}" height="{y - 10}"'
    return f'<svg class="memory" {size} aria-hidden="true">{"".join(drawn)}</svg>'


def tell(seen: str, words: Mapping[str, str]) -> list[str]:
    """Return a sentence as HTML for each storage: who lies in it, with which elements and version."""
    memory, told = read(seen, Memory), []
    for index, storage in enumerate(memory.storages):
        here = [tensor for tensor in memory.tensors if tensor.storage == index]
        lying = "; ".join(
            f"<code>{escape(tensor.name)}</code> "
            f"[{', '.join(storage[i] for i in tensor.elements)}]"
            + ("" if tensor.version is None else f" (_version {tensor.version})")
            for tensor in here
        )
        key = "memory_alone" if len(here) == 1 else "memory_shared"
        told.append(words[key].format(tensors=lying))
    return told
