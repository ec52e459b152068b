"""The plot of a value against the numbers that were run."""

import math
import re

import pytest

from weaver.render.plot import draw, number


@pytest.mark.parametrize(
    "text, value",
    {
        "2.0": 2.0,
        "-3": -3.0,
        "1e-08": 1e-8,
        "tensor(2.)": 2.0,
        "tensor([-0.5000])": -0.5,
        "tensor(1., dtype=torch.float64)": 1.0,
        "tensor(inf)": math.inf,
        "None": None,
        "tensor([1., 2.])": None,
        "True": None,
    }.items(),
)
def test_a_number_is_read_where_there_is_one(text, value):
    assert number(text) == value


def test_nan_is_a_number_to_be_shown():
    assert math.isnan(number("tensor(nan)"))


def marks(svg):
    return {int(variant): place for variant, place in re.findall(r'data-variant="(\d+)".*? d="M([^"hm]*)', svg)}


def test_each_variant_has_a_mark_and_the_chosen_one_is_marked():
    svg = draw({"": [(0, -1, 1), (1, 0, 0), (2, 1, 1)]}, 1, "y")
    found = marks(svg)
    assert found.keys() == {0, 1, 2} and re.findall(r'data-variant="(\d)" class="now"', svg) == ["1"]
    assert found[0].split()[1] == found[2].split()[1] != found[1].split()[1]


def test_nothing_is_drawn_between_what_was_run():
    assert "L" not in draw({"": [(0, 0, 0), (1, 1, 1)]}, 0, "y")


def test_what_is_not_finite_is_a_cross_with_its_name():
    svg = draw({"": [(0, 0, math.nan), (1, 1, math.inf), (2, 2, 3)]}, 2, "y")
    assert ">nan</text>" in svg and ">inf</text>" in svg and svg.count("m-4-4l8 8") == 2


def test_a_value_that_never_changes_has_a_plot_too():
    assert marks(draw({"": [(0, 0, 5), (1, 1, 5)]}, 0, "y")).keys() == {0, 1}


def test_a_long_number_at_the_edge_is_inside_the_picture():
    svg = draw({"": [(0, 10, 1), (1, 1000000, 2)]}, 0, "y")
    middle = float(re.search(r'x="([\d.]+)"[^>]*>1e\+06<', svg)[1])
    assert middle + 5 * 7 / 2 <= 340
