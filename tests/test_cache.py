"""The cache: right or empty, never wrong."""

from pathlib import Path

import pytest

from weaver.execution.cache import Cache
from weaver.execution.snippets.result import Line, Result
from weaver.execution.snippets.source import Snippet

RESULT = Result((Line("x = 1", 2, "out"), Line("", None, "err")), {"value:x": ("1", None)}, ("x",), "E: e")
SNIPPET = Snippet("t/x", Path("x.py"), "x = 1\n")


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "cache")


def test_what_is_kept_comes_back_equal(cache):
    cache.save("key", RESULT)
    assert cache.load("key") == RESULT


def test_what_was_never_kept_is_none(cache):
    assert cache.load("key") is None


def test_a_damaged_entry_is_none_wherever_it_is_damaged(cache):
    cache.save("key", RESULT)
    entry = cache.folder / "key"
    whole = entry.read_bytes()
    for position in range(len(whole)):
        entry.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        assert cache.load("key") is None, position
        entry.write_bytes(whole[:position])
        assert cache.load("key") is None, position


def test_the_key_changes_with_everything_that_can_change_a_result(cache):
    keys = {cache.key(SNIPPET, (), 0), cache.key(SNIPPET, ("value:x",), 0), cache.key(SNIPPET, (), 1)}
    keys.add(cache.key(Snippet("t/x", Path("x.py"), "x = 2\n"), (), 0))
    keys.add(cache.key(Snippet("t/y", Path("y.py"), "x = 1\n"), (), 0))
    for fact in ("torch", "numpy", "python", "platform", "processor", "engine"):
        cache.fingerprint = fact
        keys.add(cache.key(SNIPPET, (), 0))
    assert len(keys) == 11


@pytest.mark.parametrize("changed", ["version", "machine", "_processor", "read_bytes"])
def test_the_fingerprint_changes_with_versions_machine_and_engine(monkeypatch, changed):
    from weaver.execution import cache as module

    before = module.fingerprint()
    owner = {"version": module, "_processor": module, "read_bytes": module.Path}.get(changed, module.platform)
    monkeypatch.setattr(owner, changed, lambda *_: b"other" if changed == "read_bytes" else "other")
    assert module.fingerprint() != before
