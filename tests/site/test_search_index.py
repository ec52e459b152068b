"""What the search is given: of each section its message, its text and what links to it say; other words."""

import json

import pytest

from weaver.pages.glossary import Term
from weaver.site.search_index import enrich, link_texts

LEAF = Term("leaf", "잎 텐서", ("리프 텐서",), (), "x", None, (("en", "leaf tensor"),), ("입 텐서",))
ERROR = (
    "<p><code>ValueError: too small</code></p> <p>Write <code>x</code>를, not <code>y</code>.</p>"
    "<pre>1.5\nValueError: too small</pre> <pre>2.5\nTypeError: not a tensor</pre>"
)


@pytest.fixture
def index(tmp_path):
    """An index as Material writes it, of a page and two sections."""
    path = tmp_path / "search_index.json"
    docs = [
        {"location": "a/", "title": "A", "text": "<p>One</p><p>two, small</p>"},
        {"location": "a/#small", "title": "Too <code>small</code>", "text": ERROR},
        {"location": "b/", "title": "B", "text": ""},
    ]
    path.write_text(json.dumps({"config": {"lang": ["en"]}, "docs": docs}))
    return path


def docs(index):
    """Return the entries of an index, by address."""
    return {doc.pop("location"): doc for doc in json.loads(index.read_text())["docs"]}


def test_a_text_has_no_markup_no_numbers_and_each_message_once(index):
    enrich(index, list)
    assert docs(index) == {
        "a/": {"title": "A", "text": "One two, small"},
        "a/#small": {
            "title": "Too <code>small</code>",
            "message": "ValueError: too small",
            "text": "Write x를, not y. TypeError: not a tensor",
        },
        "b/": {"title": "B", "text": ""},
    }


def test_a_section_has_the_texts_of_the_links_to_it_that_say_more_than_its_title(index):
    html = '<a href="../a/#small">the <code>eps</code></a> <a href="../a/#small">too small</a>'
    links = link_texts({"b/": html, "a/": '<a href="#small">below</a> <a href="https://example.org/">x</a>'})
    assert links == {"a/#small": ["the eps", "too small", "below"]}
    enrich(index, list, {"a/": ["one"]}, links, {"a/#small": ["why is it tiny"]})
    assert docs(index)["a/#small"]["links"] == ["the eps", "below"]
    assert docs(index)["a/"]["keywords"] == ["one"]
    assert {place: doc.get("typed") for place, doc in docs(index).items()} == {
        "a/": None,
        "a/#small": ["why is it tiny"],
        "b/": None,
    }


def test_a_term_is_found_by_all_its_names_in_all_languages_but_not_by_words_of_the_pages(index):
    english = Term("leaf", "leaf tensor", ("leaf", "small"), (), "x", None, (), ("laef",))
    synonyms = {"말단": ["리프 텐서"], "leaf": ["leaves"]}
    material = index.read_text()
    facts = {"terms": [LEAF], "elsewhere": [english], "synonyms": synonyms, "words": {"same": "This one"}}
    enrich(index, list, **facts)
    config = json.loads(index.read_text())["config"]
    assert config["synonyms"] == {
        "말단": ["리프 텐서"],
        "leaf": ["leaves"],
        "잎 텐서": ["리프 텐서", "입 텐서", "leaf tensor", "leaf", "laef", "leaves"],
    }
    assert config["same"] == "This one"
    index.write_text(material)
    enrich(index, list, **facts, is_apart=True)
    assert json.loads(index.read_text()) == {
        "config": {"lang": ["en"], "same": "This one", "documents": "documents.json"},
        "docs": [],
    }
    assert len(json.loads(index.with_name("documents.json").read_text())["docs"]) == 3


def test_a_site_without_a_search_has_no_index(tmp_path):
    enrich(tmp_path / "search_index.json", list)
    assert not list(tmp_path.iterdir())
