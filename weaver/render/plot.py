"""A plot of a program's value against a number in it, from runs: SVG that follows the look of the page.

Only what was run is drawn: marks, and no line between them.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 340, 150, 52, 24, 16, 14  # units of the picture
DIGIT = 7.5  # units that a digit takes
FEWEST = 4  # numbers that are worth a plot
NUMBER = re.compile(r"(?:tensor\()?\[?(-?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan))\]?(?:, \w+=.*)?\)?")
# a mark for each line of the plot, so that one is seen through another
MARKS = ("h.01", "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", "m-5 0h10m-5-5v10", "m0-6l6 6l-6 6l-6-6z")
CROSS = "m-4-4l8 8m0-8l-8 8"


@dataclass(frozen=True)
class Series:
    """What one alternative gave: its name, and of each variant its place among all, its number, its value."""

    name: str
    variants: Sequence[int]
    x: Sequence[float]
    y: Sequence[float]


def number(text: str) -> float | None:
    """Return the number that a value shows, `2.0`, `tensor(2.)`; None if it shows none."""
    found = NUMBER.fullmatch(text)
    return float(found[1]) if found else None


def draw(series: Sequence[Series], own: int, label: str) -> str:
    """Return the SVG, in which the mark of the variant `own` is the chosen one.

    What is nan or infinite has no height: a cross at the edge, and its name.
    """
    xs = [x for one in series for x in one.x]
    heights = [y for one in series for y in one.y if math.isfinite(y)] or [0.0]
    low, high = min(heights), max(heights)
    low, high = (low, high) if high > low else (low - 1, high + 1)

    def across(x):
        return LEFT + (x - min(xs)) / ((max(xs) - min(xs)) or 1) * (WIDTH - LEFT - RIGHT)

    def up(y):
        y = y if math.isfinite(y) else high if y == math.inf else low
        return HEIGHT - BOTTOM - (y - low) / (high - low) * (HEIGHT - BOTTOM - TOP)

    drawn = "".join(
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(y):.1f}" y2="{up(y):.1f}"/>'
        f'<text x="{LEFT - 8}" y="{up(y) + 4:.1f}">{y:.4g}</text>'
        for y in sorted({low, high, *({0.0} if low < 0 < high else ())})
    )
    for x in sorted({min(xs), max(xs)}):
        middle = min(across(x), WIDTH - len(f"{x:g}") * DIGIT / 2)  # so that its end is seen
        drawn += f'<text class="foot" x="{middle:.1f}" y="{HEIGHT - 6}">{x:g}</text>'
    for index, one in enumerate(series):
        marks = "".join(_marks(one, MARKS[index % len(MARKS)], own, across, up))
        drawn += f'<g class="s{index % len(MARKS)}"><title>{escape(one.name)}</title>{marks}</g>'
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">{drawn}</svg>'


def _marks(series, mark, own, across, up) -> Iterator[str]:
    for variant, x, y in zip(series.variants, series.x, series.y, strict=True):
        now = ' class="now"' if variant == own else ""
        at = f"M{across(x):.1f} {up(y):.1f}"
        if math.isfinite(y):
            yield f'<path data-variant="{variant}"{now} d="{at}{mark}"/>'
        else:
            yield f'<path data-variant="{variant}"{now} d="{at}{CROSS}"/>'
            yield f'<text class="foot" x="{across(x):.1f}" y="{up(y) - 8:.1f}">{y}</text>'
