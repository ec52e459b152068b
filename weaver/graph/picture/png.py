"""A picture as SVG -> PNG, for notebooks: no styles of a page reach them, and some show no SVG."""

import base64
import re
from html import escape
from importlib.util import find_spec
from pathlib import Path

# The colours of render/assets/weaver.css on paper.
STYLE = """
text { font-family: "DejaVu Sans Mono"; font-size: 11px; text-anchor: middle; fill: #1c1e21; }
text.value, text.grad { font-size: 13px; font-weight: 600; }
text.node, text.input { fill: #566370; }
text.freed { text-decoration: line-through; }
tspan.mark { fill: #1a5f7a; }
text.grad, text.local { fill: #a83605; }
text.cut, text.changed { fill: #a3123f; font-weight: 600; }
.box rect { fill: #f5f6f8; stroke: #1a5f7a; }
.leaf rect { fill: #dcecf3; }
.constant rect, .unrecorded rect, .folded rect { fill: #fff; stroke: #566370; stroke-dasharray: 2 3; }
.root rect { stroke-width: 2.5; }
path { fill: none; stroke: #1a5f7a; stroke-width: 1.3; }
path.backward { stroke: #a83605; stroke-dasharray: 5 3; }
.constant path { stroke: #566370; stroke-dasharray: 2 3; }
.cut path { stroke: #a3123f; stroke-dasharray: 2 4; }
path.head { stroke: none; fill: #1a5f7a; }
path.backward.head { fill: #a83605; }
.constant path.head { fill: #566370; }
.cut path.head { fill: #a3123f; }
.label rect { fill: #fff; stroke: none; }
g.box.differs rect { fill: #ffe9b8; }
.differs path { stroke-width: 2.6; }
.memory text.name { text-anchor: end; font-weight: 600; font-size: 13px; }
.memory .element { fill: #f5f6f8; stroke: #566370; }
.memory .covered { fill: #1a5f7a; }
"""
ZOOM = 2  # dots to a pixel, for screens that have so many


def image(svg: str, alt: str) -> str:
    """Return a drawn graph, or a drawing of storages, as an `<img>` that holds a PNG on white."""
    import resvg_py  # only when there is something new to draw

    fonts = Path(find_spec("matplotlib").origin).parent / "mpl-data/fonts/ttf"
    data = resvg_py.svg_to_bytes(
        svg_string=svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1),
        style_sheet=STYLE,
        background="white",
        zoom=ZOOM,
        skip_system_fonts=True,
        font_files=[str(fonts / "DejaVuSansMono.ttf"), str(fonts / "DejaVuSansMono-Bold.ttf")],
    )
    source = f"data:image/png;base64,{base64.b64encode(bytes(data)).decode()}"
    width = re.search(r'width="(\d+)', svg)[1]
    return f'<img src="{source}" width="{width}" alt="{escape(alt)}">'
