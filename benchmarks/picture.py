"""The medians as bars: an SVG that reads in light and in dark."""

from report import SCENES, Results

LEFT, PANEL, BAR, ROW = 120, 230, 150, 19  # the geometry, in pixels
FAST = ("static", "weaver", "markdown-exec")  # their bars set the scale, longer ones are cut
TITLE = "Seconds to build a site whose snippets are executed"
NOTE = "Each N has a scale of its own. A bar with a gap is longer than drawn."
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 15px }
.title, .head { font-weight: 600 }
rect { fill: #8c959f }
.weaver { fill: #0969da }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  rect { fill: #6e7681 }
  .weaver { fill: #58a6ff }
}
"""


def svg(results: Results) -> str:
    """Return the picture: a column per scene, a group per N, a bar per contestant."""
    parts, y = [_words(8, 22, TITLE, "title")], 64
    parts += [_words(LEFT + i * PANEL, y - 14, title, "head") for i, title in enumerate(SCENES.values())]
    for n, contestants in results.contestants.items():
        walls = {name: [results.median(("wall", name, n, scene)) for scene in SCENES] for name in contestants}
        scale = max(max(walls[name]) for name in contestants if name in FAST)
        parts.append(_words(8, y + 13, f"{n} snippets", "head"))
        for name in contestants:
            y += ROW
            parts.append(_words(8, y + 13, name))
            parts += [_bar(LEFT + i * PANEL, y, wall, scale, name) for i, wall in enumerate(walls[name])]
        y += ROW * 3 // 2
    parts.append(_words(8, y + 14, NOTE))
    width, height = LEFT + len(SCENES) * PANEL, y + 26
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-labelledby="t">\n<title id="t">{TITLE}</title>\n'
        f"<style>{STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n"
    )


def _bar(x, y, wall, scale, name):
    """Return a bar and its number; a bar beyond the scale ends in a piece behind a gap."""
    length = max(1, BAR * min(wall / scale, 1))
    pieces = [(x, length)] if wall <= scale else [(x, length - 14), (x + length - 10, 10)]
    shape = f'y="{y + 3}" height="{ROW - 6}" class="{name}"'
    bars = [f'<rect x="{start:.1f}" width="{width:.1f}" {shape}/>' for start, width in pieces]
    return "".join([*bars, _words(x + length + 6, y + 13, f"{wall:.2f}")])


def _words(x, y, text, kind="label"):
    return f'<text x="{x:.1f}" y="{y}" class="{kind}">{text}</text>'
