"""What is made of a page is made again when anything that it is made of is different, and not else."""

import logging
import os

import msgspec
import pytest

from weaver.execution.cache import Cache
from weaver.mkdocs.kept import Kept, digest


class Text(msgspec.Struct):
    text: str


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "cache")


@pytest.fixture
def made():
    return []


def make(made, act=lambda: None):
    """Return what makes a text, notes that it did, and does something besides."""

    def make():
        act()
        made.append(1)
        return Text("made")

    return make


def test_the_same_is_made_once_also_by_the_next_process(cache, made):
    for _ in range(2):
        kept = Kept(cache)
        for _ in range(2):
            assert kept(Text, make(made), "page", {"a": (1, None)}).text == "made"
            kept.finish(save=True)
    assert len(made) == 1


def test_what_was_not_asked_for_in_a_build_is_forgotten(cache, made):
    kept = Kept(cache)
    for page in ("one", "two", "one"):
        kept(Text, make(made), page)
        kept.finish(save=False)
    assert len(made) == 3


def test_a_file_that_was_read_on_the_way_is_part_of_it(cache, made, tmp_path):
    kept, file = Kept(cache), tmp_path / "included.txt"
    for text in ("one", "one", "two"):
        file.write_text(text)
        kept(Text, make(made, file.read_text), "page")
    assert len(made) == 2
    file.unlink()
    with pytest.raises(FileNotFoundError):
        kept(Text, make(made, file.read_text), "page")


def test_a_file_that_was_not_there_yet_is_part_of_it(cache, made, tmp_path):
    kept, file = Kept(cache), tmp_path / "included.txt"
    for _ in range(2):
        kept(Text, make(made, lambda: os.path.exists(str(file))), "page")
    assert len(made) == 1
    kept.finish(save=False)
    file.write_text("one")
    assert not kept.is_current()
    kept(Text, make(made, lambda: os.path.exists(str(file))), "page")
    assert len(made) == 2


def test_what_says_something_is_made_again_to_say_it_again(cache, made, caplog):
    kept = Kept(cache)
    for _ in range(2):
        kept(Text, make(made, lambda: logging.getLogger("mkdocs.x").warning("a link leads nowhere")), "page")
    assert len(made) == len(caplog.messages) == 2


def test_what_is_made_of_something_unknown_is_not_kept(cache, made):
    assert digest(object()) is None
    kept = Kept(cache)
    for _ in range(2):
        kept(Text, make(made), "page", digest(object()))
    assert len(made) == 2


def test_a_damaged_cache_is_an_empty_one(cache, made):
    cache.write("pages", b"no msgpack")
    assert Kept(cache)(Text, make(made), "page").text == "made"
