"""A site's file of words: checked against the engine's English, with a message for each mistake."""

import re

import pytest
from support.project import ROOT

from weaver.player.words import ENGLISH as TRACE
from weaver.problem import Problem
from weaver.site.words import PAGE, read, words

FIELD = re.compile(r"\{#?\w+\}")


def test_this_site_has_every_word_of_the_engine_with_the_same_fields():
    for english, group in ((PAGE, "page"), (TRACE, "trace")):
        ours = read(ROOT / "words/ko.yml")[group]
        assert ours.keys() == english.keys()
        for name, text in english.items():
            if isinstance(text, str) and name != "graph_number":
                assert set(FIELD.findall(ours[name])) == set(FIELD.findall(text)), name


def test_a_missing_word_is_english_and_listed_as_missing(tmp_path):
    (tmp_path / "ja.yml").write_text("page: {output: 出力}\ntrace: {next: 次へ}\n", "utf-8")
    found = words(tmp_path, "ja")
    assert found.page["output"] == "出力" and found.page["answer"] == PAGE["answer"]
    assert found.trace["next"] == "次へ" and found.trace["back"] == TRACE["back"]
    assert "answer" in found.missing and not {"output", "next", "locale"} & set(found.missing)
    assert found.page["locale"] == "ja"
    assert words(None, "pt-BR").page["locale"] == "pt_BR"
    assert words(None, "en").missing == words(None, "en-GB").missing == ()


REFUSED = {
    "page: {outptu: x}": "1: unknown key `outptu`. Did you mean `output`?",
    "pages: {output: x}": "1: unknown section `pages`. Did you mean `page`?",
    "page:\n  output: [a]": "2: `page.output` is a list",
    "page:\n  palettes: [a]": "2: `page.palettes` has 1 texts, but needs 3",
    "page:\n  graph_saved: 'x {savd}'": "2: `page.graph_saved` has no field `{savd}`. Did you mean `saved`?",
    "page:\n  graph_saved: 'x {'": "2: `page.graph_saved` has a brace that isn't part of a field.",
    "trace:\n  new: '{n}'": "2: `trace.new` has no field `{n}`.",
    "": "1: this is empty",
    "page: {1: x}": "1: a key of",
}


@pytest.mark.parametrize("text, said", REFUSED.items())
def test_a_mistake_in_a_file_of_words_is_reported_with_its_line(tmp_path, text, said):
    (tmp_path / "ko.yml").write_text(text)
    with pytest.raises(Problem) as problem:
        words(tmp_path, "ko")
    assert f"ko.yml:{said}" in str(problem.value)
