"""Every page: a pair that agrees, in words that belong here, with nothing typed that a run says."""

import re
from dataclasses import replace

import pytest
import yaml
from support.project import ROOT, content, results, shown

from weaver.pages.glossary import listed, read

NEVER = [re.escape(word) for term in read(ROOT / "glossary.yml", "ko") for word in term.never]
FORBIDDEN = {
    "ko": r"당신|우리는|자동 차별화|사다리|구별하기|그래디언트|그라디언트|기울기|리프|레이어|커스텀|바꿔치기"
    r"|인플레이스|(?<!하이퍼)파라미터|" + "|".join(NEVER),
    "en": r"\bsimply\b|\bobviously\b|\bas you can see\b",
}
PAGES = [(language, name) for language, pages in content().pages.items() for name in pages]
every_page = pytest.mark.parametrize("language, name", PAGES, ids=lambda value: value)


def source(language, name):
    return (ROOT / "docs" / language / name).read_text(encoding="utf-8")


def front_matter(language, name):
    begins = re.match(r"---\n(.*?)^---\n", source(language, name), re.S | re.M)
    assert begins, f"docs/{language}/{name}:1: no front matter. Begin with title, description and keywords between two lines of `---`."
    head = yaml.safe_load(begins[1]) or {}
    for key in ("title", "description", "keywords"):
        assert head.get(key), f"docs/{language}/{name}:1: the front matter lacks `{key}`. Write it there."
    return head


def prose(language, name):
    """Return a page's own words: no front matter, directive, choice, code, link target or formula.

    Of the glossary, the terms and what is said of them, without what other spellings and languages say.
    """
    own = [replace(term, others=(), translations=()) for term in read(ROOT / "glossary.yml", language)]
    words = {"terms": listed(own, "")}
    woven = content().pages[language][name].weave(lambda directive: words.get(directive.kind.name, " "))
    body = woven
    for gone in (
        r"^```.*?^```$",
        r"``.*?``|`[^`]*`",
        r"\]\([^)]*\)",
        r"\{ #[\w-]+ \}",
        r"\$\$.*?\$\$|\$[^$]*\$",
    ):
        body = re.sub(gone, " ", body, flags=re.S | re.M)
    return body


def test_there_is_a_pair_for_every_page():
    assert set(content().pages["ko"]) == set(content().pages["en"]) >= {"index.md", "detach.md"}


@every_page
def test_the_front_matter_says_what_search_engines_and_the_site_search_need(language, name):
    head = front_matter(language, name)
    assert 20 <= len(head["description"]) <= 200
    assert len(head["keywords"]) == len(set(head["keywords"])) >= 5
    titles = [heading.text for heading in content().pages[language][name].headings if heading.level == 1]
    assert titles == [head["title"]], f"docs/{language}/{name}: the title above is not the one heading of level 1."


@every_page
def test_no_word_that_does_not_belong_here(language, name):
    assert re.findall(FORBIDDEN[language], prose(language, name), re.I) == []


@every_page
def test_the_language_is_the_right_one(language, name):
    hangul = len(re.findall("[가-힣]", prose(language, name)))
    assert hangul > 100 if language == "ko" else hangul == 0


@every_page
def test_korean_sentences_end_politely(language, name):
    if language == "ko":
        plain = re.findall(r"[가-힣]*(?:[^니시]다|한다|이다|된다)\.(?=\s)", prose(language, name))
        assert plain == []


@every_page
def test_no_number_is_typed_that_a_snippet_on_the_page_prints(language, name):
    """A number with a fraction, or of two digits and more, in prose must come from the run."""
    printed = set()
    page = content().pages[language][name]
    asked = {name for directive in page.directives for name, _ in directive.asks} - content().labs.keys()
    for output in [*(results()[name].output for name in asked), *(printed for _, printed in shown(page))]:
        printed |= set(re.findall(r"\d+\.\d+|\d{2,}", output))
        printed |= {str(float(number)) for number in re.findall(r"\d+\.(?!\d)", output)}
    text = re.sub(r"(?:torch|PyTorch|Python|NumPy) ?\d+(?:\.\d+)*", "", prose(language, name))
    assert printed & set(re.findall(r"\d+\.\d+|\d{2,}", text)) == set()


@every_page
def test_a_page_has_no_python_fence_that_did_not_come_from_a_snippet(language, name):
    assert not [fence for fence in content().pages[language][name].fences if "py" in fence]
