"""The glossary: read, listed, and linked to where a term is first used."""

import re

import pytest

from weaver.pages.glossary import Term, link_first_uses, listed, read
from weaver.problem import Problem

LEAF = Term(
    "leaf-tensor",
    "잎 텐서",
    ("리프 텐서",),
    ("이파리",),
    "시작입니다.",
    "leaf.md#leaf",
    (("en", "leaf tensor"),),
)
GRAPH = Term("graph", "graph", (), (), 'A "record".', None, ())


def test_both_languages_come_from_one_file(tmp_path):
    path = tmp_path / "glossary.yml"
    path.write_text(
        "leaf-tensor:\n  page: leaf.md#leaf\n  en: {term: leaf tensor, says: x}\n"
        "  ko: {term: 잎 텐서, also: [리프 텐서], never: [이파리], says: 시작입니다.}\n"
    )
    assert read(path, "ko") == [LEAF]
    path.write_text("leaf-tensor:\n  ko: {term: 잎 텐서, says: x}\n")
    with pytest.raises(Problem, match="`leaf-tensor` lacks `en:"):
        read(path, "en")


REFUSED = {
    "": "g.yml:1: this is empty, and should be a group of keys. Mend it.",
    "- a\n": "g.yml:1: this is a list, and should be a group of keys. Mend it.",
    "a: [\n": "g.yml:2: this is no YAML",
    "a: text\n": "g.yml:1: `a` is text, and should be a group of keys. Mend it.",
    "a:\n  en: {term: 3, says: x}\n": "g.yml:2: `a.en.term` is a whole number, and should be text. Put it in",
    "a:\n  en:\n    term: x\n    says: y\n    also: text\n": (
        "g.yml:5: `a.en.also` is text, and should be a list. Mend it."
    ),
    "a:\n  en:\n    term: x\n    says: y\n    alos: [z]\n": (
        "g.yml:2: `a.en` has no `alos`. Did you mean `also`?"
    ),
    "a:\n  en: {term: '', says: y}\n": "g.yml:2: `a.en.term` is empty. Write it.",
    "a:\n  page: 3\n  en: {term: x, says: y}\n": "g.yml:2: `a.page` is a whole number, and should be text.",
    "a: {en: {term: x, says: y}}\na: {en: {term: z, says: y}}\n": "g.yml:2: `a` stands twice. Take one out.",
    "a: {en: {term: X, says: y}}\nb: {en: {term: x, says: y}}\n": "g.yml:2: `x` is the term of `a` too.",
    "'a b': {en: {term: x, says: y}}\n": "g.yml:1: `a b` cannot be an anchor. Write a-z, 0-9 and `-`.",
    "a:\n  en: {term: x, says: 'It is {{ value t/x x }}.'}\n": (
        "g.yml:2: `{{ value t/x x }}` would be published as it stands. Take it out."
    ),
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_mistake_in_the_glossary_has_a_sentence_with_its_line(tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "g.yml"
    path.write_text(text)
    with pytest.raises(Problem, match=re.escape(REFUSED[text])):
        read(path, "en")


def test_a_glossary_that_is_not_utf8_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.yml").write_bytes(b"a: {en: {term: caf\xe9, says: y}}\n")
    with pytest.raises(Problem, match=r"g\.yml: byte 18 is not UTF-8"):
        read(tmp_path / "g.yml", "en")


def test_the_list_names_the_other_languages_and_spellings_and_the_page():
    assert listed([LEAF], "보기") == (
        '- <b id="leaf-tensor">잎 텐서</b> <i lang="en">leaf tensor</i> <small data-search-exclude>(리프 텐서)</small>: 시작입니다. [보기](leaf.md#leaf)\n'
    )


def test_the_first_use_in_prose_is_a_link_and_no_other():
    html = "<h1>잎 텐서</h1><p><code>잎 텐서</code> 이 잎 텐서를, 또 잎 텐서는</p>"
    linked = link_first_uses(html, [LEAF], "../glossary/")
    link = '<a class="term" href="../glossary/#leaf-tensor" title="시작입니다.">잎 텐서</a>'
    assert linked == f"<h1>잎 텐서</h1><p><code>잎 텐서</code> 이 {link}를, 또 잎 텐서는</p>"


def test_plurals_count_and_parts_of_words_and_names_do_not():
    html = "<p>subgraph graph_x graph() paragraphs</p><li>Graphs and graph</li>"
    linked = link_first_uses(html, [GRAPH], "g")
    assert linked.count("<a ") == 1
    assert (
        '<li><a class="term" href="g#graph" title="A &quot;record&quot;.">Graphs</a> and graph</li>' in linked
    )
