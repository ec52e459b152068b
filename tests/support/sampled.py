"""What every run checks, and what is left to `pytest --every-page`, or to a part of it."""

import zlib
from collections import defaultdict
from collections.abc import Iterable

import pytest


def adds(config: pytest.Config, item: pytest.Item) -> bool:
    """Tell whether this run checks of a test what others leave to `--every-page`.

    `--part 2/16` adds the second of sixteen parts; tests of one page are in the same one.
    """
    part, _, parts = (config.getoption("part") or f"{config.getoption('every_page'):d}/1").partition("/")
    about = item.nodeid.partition("[")[2] or item.nodeid
    return zlib.crc32(about.encode()) % int(parts) == int(part) - 1


def param(*values: object, each: bool, id: str | None = None) -> object:
    """Return a parameter of a test that each run has, or else one that is left to `--every-page`."""
    return pytest.param(*values, id=id, marks=() if each else pytest.mark.every_page)


def left(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """Return the tests that are marked `every_page`, and those that visit in one more language the same."""
    marked = {item for item in items if item.get_closest_marker("every_page")}
    return marked | _further_languages(item for item in items if item not in marked)


def _further_languages(items):
    """Return all but one of the tests that visit the same in several languages.

    Of a test that has other parameters, the languages take turns; a hash says which begins.
    """
    alike = defaultdict(lambda: defaultdict(list))
    for item in items:
        if "language" in item.fixturenames and {"visit", "look"} & {*item.fixturenames}:
            parts, language = item.callspec.id.split("-"), item.callspec.params["language"]
            rest = tuple(part for part in parts if part != language)
            alike[item.nodeid.partition("[")[0]][rest].append(item)
    return {
        item
        for test, groups in alike.items()
        for turn, group in enumerate(groups.values(), zlib.crc32(test.encode()))
        for at, item in enumerate(group)
        if at != turn % len(group)
    }
