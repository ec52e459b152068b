"""A plot as matplotlib draws it in SVG, made the same in every run and fit for a page of any look."""

import re

# what no browser needs: a prolog, a date
BESIDE = re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<metadata>.*?</metadata>|<!--.*?-->", re.DOTALL)
PART = r'<g id="(?:figure|axes)_\d+">\s*<g id="patch_\d+">\s*<path [^>]*?'
PAPER = re.compile(f'({PART})style="fill: #ffffff[^"]*"')
DRAWN = re.compile(r'\bid="([a-z][0-9a-f]{10})"')  # of a mark or a clipping, made of chance
FINER = re.compile(r"(\d\.\d\d)\d+(?![\d)])")  # a coordinate beyond a hundredth of a point; no scale


def tidy(svg: str) -> str:
    """Return a plot without its date, its white paper and what chance has named in it."""
    svg = FINER.sub(r"\1", PAPER.sub(r'\1fill="none"', BESIDE.sub("", svg)))
    for number, name in enumerate(dict.fromkeys(DRAWN.findall(svg))):
        svg = svg.replace(name, f"d{number}")
    return re.sub(r"\s*\n\s*", "\n", svg).strip() + "\n"
