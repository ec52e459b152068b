"""The cache: right or empty, never wrong."""

import pytest

from weaver.execution.cache import Cache, key


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "cache")


def test_what_is_kept_comes_back_equal(cache):
    cache.write("key", b"a\nb")
    assert cache.read("key") == b"a\nb"


def test_what_was_never_kept_is_none(cache):
    assert cache.read("key") is None


def test_a_damaged_entry_is_none_wherever_it_is_damaged(cache):
    cache.write("key", b"some bytes\nthat are kept")
    entry = cache.folder / "key"
    whole = entry.read_bytes()
    for position in range(len(whole)):
        entry.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        assert cache.read("key") is None, position
        entry.write_bytes(whole[:position])
        assert cache.read("key") is None, position


def test_what_is_kept_is_not_made_again(cache):
    assert [cache.keep("key", lambda: "one"), cache.keep("key", lambda: "two")] == ["one", "one"]


def test_a_key_is_of_all_facts_and_of_their_order():
    assert len({key("a", "b"), key("b", "a"), key(["a", "b"]), key("ab"), key("a", "b", None)}) == 5
