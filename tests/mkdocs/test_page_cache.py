"""What is made of a page is made again when anything that it is made of is different, and not else."""

import logging

import msgspec
import pytest
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files

from weaver.execution.cache import Cache
from weaver.mkdocs import page_cache
from weaver.mkdocs.page_cache import PageCache, digest


class Text(msgspec.Struct):
    text: str


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "cache")


def pages(cache, *extensions, **settings):
    """Return a page cache of a project with some extensions."""
    config = MkDocsConfig()
    config.load_dict({"site_name": "Test", "docs_dir": str(cache.folder.parent)})
    config.validate()
    config.markdown_extensions, config.mdx_configs = list(extensions), settings
    return PageCache(cache, config, Files([]))


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
        for _ in range(2):
            assert pages(cache).keep("step", Text, make(made), "page", {"a": (1, None)}).text == "made"
            cache.sweep()
        cache = Cache(cache.folder)
    assert len(made) == 1


def test_with_another_setting_or_engine_all_is_made_again(cache, made, monkeypatch):
    pages(cache).keep("step", Text, make(made), "page")
    pages(cache, toc={"permalink": True}).keep("step", Text, make(made), "page")
    assert len(made) == 2
    monkeypatch.setattr(page_cache, "fingerprint", lambda module: "of another engine")
    pages(cache).keep("step", Text, make(made), "page")
    assert len(made) == 3


def test_what_was_not_asked_for_in_a_build_is_forgotten(cache, made):
    for page in ("one", "two", "one"):
        pages(cache).keep("step", Text, make(made), page)
        cache.sweep()
    assert len(made) == 3


def test_what_logs_something_is_made_again_to_log_it_again(cache, made, caplog):
    for _ in range(2):
        pages(cache).keep("step", Text, make(made, lambda: logging.getLogger("mkdocs.x").warning("a link leads nowhere")), "page")
    assert len(made) == len(caplog.messages) == 2


def test_what_is_made_of_something_unknown_is_not_kept(cache, made):
    assert digest(object()) is None
    for _ in range(2):
        pages(cache).keep("step", Text, make(made), "page", digest(object()))
    assert len(made) == 2


def test_a_damaged_entry_is_made_again(cache, made):
    pages(cache).keep("step", Text, make(made), "page")
    for path in cache.folder.iterdir():
        path.write_bytes(b"no checksum")
    assert pages(cache).keep("step", Text, make(made), "page").text == "made"


@pytest.mark.parametrize(
    ("extensions", "settings", "text", "reads"),
    [
        (["toc", "attr_list", "pymdownx.superfences", "weaver.mkdocs.formula"], {}, '--8<-- "a.txt" :smile:', False),
        (["pymdownx.snippets"], {}, "words", False),
        (["pymdownx.snippets"], {}, '--8<-- "a.txt"', True),
        (["pymdownx.snippets"], {"pymdownx.snippets": {"auto_append": ["a.txt"]}}, "words", True),
        (["pymdownx.emoji"], {}, "12:30 and :smile:", True),
        (["pymdownx.b64"], {}, "![a](a.png)", True),
        (["mine"], {}, "words", True),
    ],
)
def test_html_is_not_kept_where_an_extension_may_read_a_file_for_it(cache, extensions, settings, text, reads):
    assert pages(cache, *extensions, **settings).reads_files(text) is reads
