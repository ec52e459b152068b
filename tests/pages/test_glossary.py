"""The glossary: read, listed, and linked to where a term is first used."""

import json
import re
from dataclasses import replace

import pytest
from support.project import ROOT, WORDS

from weaver.pages.glossary import Term, initial, link_first_uses, listed, not_meant, read
from weaver.problem import Problem
from weaver.site.search_index import enrich

LEAF = Term(
    "leaf-tensor",
    "잎 텐서",
    ("리프 텐서",),
    ("이파리",),
    "시작입니다.",
    "leaf.md#leaf",
    (("en", "leaf tensor"),),
)
LETTERS = WORDS["ko"]["letters"]
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
    "": "g.yml:1: this is empty, but should be a group of keys. Fix it.",
    "- a\n": "g.yml:1: this is a list, but should be a group of keys. Fix it.",
    "a: [\n": "g.yml:2: not valid YAML",
    "a: text\n": "g.yml:1: `a` is text, but should be a group of keys. Fix it.",
    "a:\n  en: {term: 3, says: x}\n": "g.yml:2: `a.en.term` is a whole number, but should be text. Put it in",
    "a:\n  en:\n    term: x\n    says: y\n    also: text\n": (
        "g.yml:5: `a.en.also` is text, but should be a list. Fix it."
    ),
    "a:\n  en:\n    term: x\n    says: y\n    alos: [z]\n": (
        "g.yml:2: `a.en` has no `alos`. Did you mean `also`?"
    ),
    "a:\n  en: {term: '', says: y}\n": "g.yml:2: `a.en.term` is empty. Write it.",
    "a:\n  page: 3\n  en: {term: x, says: y}\n": "g.yml:2: `a.page` is a whole number, but should be text.",
    "a: {en: {term: x, says: y}}\na: {en: {term: z, says: y}}\n": "g.yml:2: duplicate key `a`. Remove one.",
    "a: {en: {term: X, says: y}}\nb: {en: {term: x, says: y}}\n": "g.yml:2: `x` is also the term of `a`.",
    "'a b': {en: {term: x, says: y}}\n": "g.yml:1: `a b` can't be an anchor. Use only a-z, 0-9 and `-`.",
    "a:\n  en: {term: x, says: 'It is {{ value t/x x }}.'}\n": (
        "g.yml:2: `{{ value t/x x }}` would appear literally on the page. Remove it."
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


def test_the_list_names_the_other_languages_and_spellings_and_a_term_leads_to_its_page():
    assert listed([LEAF], LETTERS).endswith(
        '\n\n- <b id="leaf-tensor">[잎 텐서](leaf.md#leaf)</b> <i lang="en">leaf tensor</i> <small data-search-exclude>(리프 텐서)</small>: 시작입니다.\n'
    )
    assert '- <b id="graph">graph</b>: A "record".\n' in listed([GRAPH], LETTERS)


def test_the_terms_stand_under_their_letters_and_a_row_of_those_leads_to_each():
    text = listed([GRAPH, LEAF, replace(LEAF, term="입력")], LETTERS)
    row, *rest = text.split("\n\n")
    assert re.findall(r'href="#(.*?)">(.)<', row) == [("letter-ㅇ", "ㅇ"), ("letter-G", "G")]
    ids = re.findall(r'<p class="letter" id="(.*?)" role="heading" aria-level="2"', "".join(rest))
    assert ids == ["letter-ㅇ", "letter-G"]


@pytest.mark.parametrize(
    "term, letter", [("가중치", "ㄱ"), ("까닭", "ㄱ"), ("힣", "ㅎ"), ("쌍", "ㅅ"), ("닫힘", "ㄷ"), ("leaf", "L"), ("_foo", "_")]
)
def test_a_term_stands_under_its_first_letter_and_a_korean_one_under_its_first_consonant(term, letter):
    assert initial(term, LETTERS) == letter


def test_the_first_use_in_prose_is_a_link_and_no_other():
    html = "<h1>잎 텐서</h1><p><code>잎 텐서</code> 이 잎 텐서를, 또 잎 텐서는</p>"
    linked = link_first_uses(html, [LEAF], "../glossary/", WORDS["ko"])
    link = '<a class="term" href="../glossary/#leaf-tensor" title="시작입니다.">잎 텐서</a>'
    assert linked == f"<h1>잎 텐서</h1><p><code>잎 텐서</code> 이 {link}를, 또 잎 텐서는</p>"


def test_plurals_count_and_parts_of_words_and_names_do_not():
    html = "<p>subgraph graph_x graph() paragraphs</p><li>Graphs and graph</li>"
    linked = link_first_uses(html, [GRAPH], "g", WORDS["en"])
    assert linked.count("<a ") == 1
    assert (
        '<li><a class="term" href="g#graph" title="A &quot;record&quot;.">Graphs</a> and graph</li>' in linked
    )


def links(html, *names, but=()):
    """Return what is linked in `html` where the terms have these names."""
    terms = [Term(str(number), name, (), (), "s", None, ()) for number, name in enumerate(names)]
    return re.findall("<a [^>]*>(.*?)</a>", link_first_uses(f"<p>{html}</p>", terms, "g", WORDS["ko"], but))


def test_the_first_use_is_linked_also_where_the_english_stands_behind_it():
    term = replace(GRAPH, term="변화도")
    assert link_first_uses("<p>변화도(gradient)는 변화도가</p>", [term], "g", WORDS["ko"]).startswith("<p><a")
    assert links("분리(detach)합니다", "분리") == ["분리"]
    assert links("graph() of graph_x", "graph") == []


@pytest.mark.parametrize(
    "text", ["복사본", "복사기를", "재복사", "복사-붙여넣기가", "추론 텐서를", "텐서 복사는"]
)
def test_part_of_a_word_or_of_a_compound_is_no_use_of_a_term(text):
    assert links(text, "복사", "추론", "텐서") == []


@pytest.mark.parametrize(
    "text",
    [
        "복사",
        "복사는",
        "복사에서도",
        "복사로만",
        "복사하면",
        "복사해서",
        "복사됩니다",
        "복사입니다",
        "복사들은",
    ],
)
def test_with_a_particle_or_as_a_verb_it_is_the_term(text):
    assert links(text, "복사") == ["복사"]


def test_of_two_terms_the_longer_is_meant():
    assert links("추론 텐서를 추론에", "추론", "텐서", "추론 텐서") == ["추론 텐서", "추론"]
    assert links("a gradient-free leaf tensor", "gradient", "leaf", "leaf tensor") == ["leaf tensor"]


def test_a_page_can_say_that_it_means_something_else():
    assert links("목표로 고정하면 변화도가", "고정", "변화도", but=["고정"]) == ["변화도"]


def test_the_order_is_that_of_the_readers_language():
    korean, english = (
        re.findall('id="[^"]*">\\[?([^\\]<]*)', listed(read(ROOT / "glossary.yml", code), WORDS[code]["letters"]))
        for code in ("ko", "en")
    )
    hangul = [term for term in korean if "가" <= term[0] <= "힣"]
    assert korean == hangul + korean[len(hangul) :] and hangul == sorted(hangul)
    assert english == sorted(english, key=str.casefold)


def test_a_misspelling_is_found_and_not_shown(tmp_path):
    term = replace(LEAF, misspelled=("입 텐서",))
    assert listed([term], LETTERS) == listed([LEAF], LETTERS)
    index = tmp_path / "index.json"
    index.write_text('{"config": {}, "docs": []}')
    enrich(index, list, terms=[term])
    assert json.loads(index.read_text())["config"]["synonyms"]["잎 텐서"][1] == "입 텐서"
    path = tmp_path / "glossary.yml"
    path.write_text("a:\n  en: {term: a, says: x, misspelled: [aa]}\n")
    assert read(path, "en")[0].misspelled == ("aa",)


def test_a_word_that_a_page_does_not_mean_must_be_a_term():
    with pytest.raises(Problem, match=r"docs/ko/a\.md: `not_terms` has `그래푸`.*Did you mean `그래프`"):
        not_meant(["그래푸"], [replace(GRAPH, term="그래프")], "docs/ko/a.md")


def test_no_html_of_the_glossary_reaches_the_page_and_its_code_stays():
    evil = replace(GRAPH, others=("<script>a</script>",), says="A <script>b</script> & `x < y` &amp; **c**.")
    assert "<script" not in listed([evil], {})
    assert listed([evil], {}).endswith(
        "(&lt;script&gt;a&lt;/script&gt;)</small>: A &lt;script>b&lt;/script> & `x < y` &amp; **c**.\n"
    )


def test_no_terms_make_no_list():
    assert listed([], {}) == ""
