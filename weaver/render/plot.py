"""A plot of a program's value against a number in it, from runs: SVG that follows the look of the page.

Only what was run is drawn: marks, and no line between them.
"""

import math
import re
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 340, 150, 52, 24, 16, 14  # units of the picture
DIGIT = 7.5  # units that a digit takes
FEWEST = 4  # numbers that are worth a plot
NUMBER = re.compile(r"(?:tensor\()?\[?(-?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan))\]?(?:, \w+=.*)?\)?")
# a mark for each line of the plot, so that one is seen through another
MARKS = ("h.01", "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", "m-5 0h10m-5-5v10", "m0-6l6 6l-6 6l-6-6z")
CROSS = "m-4-4l8 8m0-8l-8 8"


Point = tuple[int, float, float]  # of a variant: its index among all, its number, its value


def number(text: str) -> float | None:
    """Return the number that a value shows, `2.0`, `tensor(2.)`; None if it shows none."""
    found = NUMBER.fullmatch(text)
    return float(found[1]) if found else None


def draw(series: Mapping[str, Sequence[Point]], own: int, label: str) -> str:
    """Return the SVG of what each alternative gave, by its name; `own` is the variant whose mark is chosen.

    What is nan or infinite has no height: a cross at the edge, and its name.
    """
    points = [point for some in series.values() for point in some]
    xs, heights = [x for _, x, _ in points], [y for *_, y in points if math.isfinite(y)] or [0.0]
    low, high = min(heights), max(heights)
    low, high = (low, high) if high > low else (low - 1, high + 1)

    def across(x: float) -> float:
        return LEFT + (x - min(xs)) / ((max(xs) - min(xs)) or 1) * (WIDTH - LEFT - RIGHT)

    def up(y: float) -> float:
        y = y if math.isfinite(y) else high if y == math.inf else low
        return HEIGHT - BOTTOM - (y - low) / (high - low) * (HEIGHT - BOTTOM - TOP)

    def mark(point: Point, shape: str) -> str:
        variant, x, y = point
        now, at = ' class="now"' if variant == own else "", f"M{across(x):.1f} {up(y):.1f}"
        shape, name = (shape, "") if math.isfinite(y) else (CROSS, str(y))
        text = name and f'<text class="foot" x="{across(x):.1f}" y="{up(y) - 8:.1f}">{name}</text>'
        return f'<path data-variant="{variant}"{now} d="{at}{shape}"/>{text}'

    drawn = "".join(
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(y):.1f}" y2="{up(y):.1f}"/>'
        f'<text x="{LEFT - 8}" y="{up(y) + 4:.1f}">{y:.4g}</text>'
        for y in sorted({low, high, *({0.0} if low < 0 < high else ())})
    )
    for x in sorted({min(xs), max(xs)}):
        middle = min(across(x), WIDTH - len(f"{x:g}") * DIGIT / 2)  # so that its end is seen
        drawn += f'<text class="foot" x="{middle:.1f}" y="{HEIGHT - 6}">{x:g}</text>'
    for index, (name, some) in enumerate(series.items()):
        marks = "".join(mark(point, MARKS[index % len(MARKS)]) for point in some)
        drawn += f'<g class="s{index % len(MARKS)}"><title>{escape(name)}</title>{marks}</g>'
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">{drawn}</svg>'
