"""The glossary: read, listed, and linked to where a term is first used."""

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
