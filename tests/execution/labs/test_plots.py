"""A plot of a lab: the same in every run, without paper of its own, and where it was drawn."""

import io
import re

import matplotlib.figure
import pytest

from weaver.execution.labs.plots import tidy


@pytest.fixture
def drawn():
    """A function that draws the same plot anew, as SVG."""

    def draw():
        figure = matplotlib.figure.Figure(figsize=(4, 3))
        axes = figure.subplots()
        axes.plot([1, 2, 3], [0.123456, 4, 9], "o", label="x")
        axes.bar([2], [3], color="white", edgecolor="black")
        axes.legend()
        svg = io.StringIO()
        figure.savefig(svg, format="svg")
        return svg.getvalue()

    return draw


def test_two_runs_draw_the_same_bytes(drawn):
    assert drawn() != drawn()
    assert tidy(drawn()) == tidy(drawn())


def test_the_paper_is_gone_and_what_was_drawn_white_stays(drawn):
    whole, tidied = drawn(), tidy(drawn())
    assert len(re.findall("fill: #ffffff", whole)) - len(re.findall("fill: #ffffff", tidied)) == 2


def test_every_reference_leads_to_a_part_and_no_glyph_is_smaller(drawn):
    svg = tidy(drawn())
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg))
    named = {a or b for a, b in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg)}
    assert named <= set(re.findall(r'\bid="([^"]+)"', svg))
    assert "scale(0.015625)" in svg and "date" not in svg
