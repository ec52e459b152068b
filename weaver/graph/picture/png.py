"""A picture as SVG -> PNG, for notebooks: no styles of a page reach them, and some show no SVG."""

import base64
import re
from html import escape
from importlib.metadata import distribution
from typing import Any

# The colours of render/assets/weaver.css on paper.
STYLE = """
text { font-family: "DejaVu Sans Mono"; font-size: 11px; text-anchor: middle; fill: #1c1e21; }
text.value, text.grad { font-size: 13px; font-weight: 600; }
text.node, text.input { fill: #566370; }
text.freed { text-decoration: line-through; }
text.grad, text.local { fill: #a83605; }
text.cut, text.changed { fill: #a3123f; font-weight: 600; }
path { fill: none; stroke: #1a5f7a; stroke-width: 1.3; }
path.backward { stroke: #a83605; stroke-dasharray: 5 3; }
path.constant { stroke: #566370; stroke-dasharray: 2 3; }
path.cut { stroke: #a3123f; stroke-dasharray: 2 4; }
path.differs { stroke-width: 2.6; }
path.head { stroke: none; fill: #1a5f7a; }
path.backward.head { fill: #a83605; }
path.constant.head { fill: #566370; }
path.cut.head { fill: #a3123f; }
path.box { fill: #f5f6f8; stroke-width: 1; }
path.leaf { fill: #dcecf3; }
path.box.constant, path.unrecorded, path.folded { fill: #fff; stroke: #566370; stroke-dasharray: 2 3; }
path.root { stroke-width: 2.5; }
path.box.differs { fill: #ffe9b8; }
.memory text.name { text-anchor: end; font-weight: 600; font-size: 13px; }
.memory .element { fill: #f5f6f8; stroke: #566370; }
.memory .covered { fill: #1a5f7a; }
"""
ZOOM = 2  # dots to a pixel, for screens that have so many


def image(svg: str, alt: str) -> str:
    """Return a drawn graph, or a drawing of storages, as an `<img>` that holds a PNG on white."""
    [width] = re.findall(r'width="(\d+)', svg)[:1]
    source = f"data:image/png;base64,{encoded(svg, background='white', zoom=ZOOM)}"
    return f'<img src="{source}" width="{width}" alt="{escape(alt)}">'


def encoded(svg: str, **options: Any) -> str:
    """Return an SVG as a PNG in base64; `options` are those of resvg. Its letters are matplotlib's."""
    import resvg_py  # only when there is something new to draw

    fonts = distribution("matplotlib").locate_file("matplotlib/mpl-data/fonts/ttf")
    data = resvg_py.svg_to_bytes(
        svg_string=svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1),
        style_sheet=STYLE,
        skip_system_fonts=True,
        font_files=[f"{fonts}/DejaVuSansMono.ttf", f"{fonts}/DejaVuSansMono-Bold.ttf"],
        **options,
    )
    return base64.b64encode(bytes(data)).decode()
