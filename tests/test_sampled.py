"""What each run checks: one of the languages that are visited alike, and of the rest one part."""

from types import SimpleNamespace

import pytest
from support.sampled import adds, left


class Item(SimpleNamespace):
    """As much of a test as is looked at."""

    __hash__ = object.__hash__


def items(*parameters, marker=None, fixtures=("visit",)):
    """Return a test for each language and what else it is about."""
    return [
        Item(
            nodeid=f"tests/test_a.py::test_a[{language}-{rest}]",
            fixturenames=[*fixtures, "language"],
            callspec=SimpleNamespace(id=f"{language}-{rest}", params={"language": language}),
            get_closest_marker=lambda name: marker,
        )
        for language, rest in parameters
    ]


def test_of_what_is_visited_in_both_languages_one_stays_and_they_take_turns():
    visited = items(("ko", "360"), ("ko", "1280"), ("en", "360"), ("en", "1280"))
    gone = left(visited)
    stay = [one.callspec.id.split("-") for one in visited if one not in gone]
    assert sorted(width for _, width in stay) == ["1280", "360"]
    assert sorted(language for language, _ in stay) == ["en", "ko"]


def test_what_is_searched_for_in_each_language_stays():
    assert left(items(("ko", "a"), ("en", "a"), fixtures=["home"])) == set()


def test_what_is_marked_is_left_and_counts_for_no_turn():
    marked, both = items(("ko", "a"), marker=True), items(("ko", "b"), ("en", "b"))
    gone = left([*marked, *both])
    assert {*marked} <= gone and len(gone) == 2


@pytest.mark.parametrize(
    ("every_page", "parts", "number"),
    [(False, [None], 0), (True, [None], 1), (False, ["1/4", "2/4", "3/4", "4/4"], 1)],
)
def test_each_test_is_in_one_of_the_parts_and_every_page_has_all(every_page, parts, number):
    for item in items(*[("ko", f"page-{page}") for page in range(50)]):
        runs = [SimpleNamespace(getoption={"every_page": every_page, "part": part}.get) for part in parts]
        assert sum(adds(run, item) for run in runs) == number
