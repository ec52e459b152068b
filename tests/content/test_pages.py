"""Every page: a pair that agrees, in words that belong here, with nothing typed that a run says."""

import re
from dataclasses import replace

import pytest
from support.project import ROOT, WORDS, content, results, shown

from weaver.pages.front_matter import lacks
from weaver.pages.glossary import listed, read

NEVER = [re.escape(word) for term in read(ROOT / "glossary.yml", "ko") for word in term.never]
# Words for which the pages have another, and which a definition alone may name: 잎(leaf, 리프)
OTHERS = r"그래디언트(?! 페널티| 클리핑)|그라디언트|기울기(?! 소실| 폭발)|리프|루트|(?<!플)레이어|인플레이스|(?<!하이퍼)파라미터"
NAMED = re.compile(
    r"(?<=[가-힣])\([A-Za-z][A-Za-z -]*(?:, *(?:그래디언트|기울기|리프|루트|레이어|인플레이스|파라미터))+\)"
)
# 부르다 is to name, 잎이라고 부릅니다, and not to call, which is 호출하다; 불러오다 is to load.
NAMING = re.compile(
    r"라고(?:도|만|는)? +(?:더 |흔히 |자주 |보통 |줄여 |함께 )?(?:부르|부릅|부른|부를|불러|불렀|불리|불립|불린|불릴|불렸)"
)
CALLED = (
    r"(?<![가-힣])(?:부르(?=[는고면며지기자던])|부릅니|부른|부를|불러(?![오온옵올와왔일])|불렀"
    r"|불리(?=[는고면며지기자던])|불립니|불린(?!\()|불릴|불렸)"
)
# What shares is 공유하다; to use two things together, with code or 두 가지 before it, is 함께 쓰다.
SHARED = r"(?<![와과] )(?<!가지를 )(?<!  [을를] )함께 (?:쓰|써|썼|쓸|쓴|씁)"
# To write is 바꾸다, 덮어쓰다, 넣다
WRITTEN = (
    r"(?:에|에도|에는|에만|위에) (?:새 |다른 |바로 )?(?:값|수|숫자|결과)(?:을|를|이|도|만)? (?:쓰|써|썼|쓸|쓴|씁|쓰이)"
    r"|값을 써(?!서)|값을 쓰[는고면]|값을 썼"
)
FORBIDDEN = {
    "ko": r"당신|우리는|자동 차별화|사다리|구별하기|커스텀|바꿔치기|까닭|저절로|이렇습니다|십시오|학습 반복문"
    r"|변화도 벌점|돌출 맵|잘못된 처방"
    f"|{OTHERS}|{CALLED}|{SHARED}|{WRITTEN}|" + "|".join(NEVER),
    "en": r"\bsimply\b|\bobviously\b|\bas you can see\b",
}
PAGES = [(language, name) for language, pages in content().pages.items() for name in pages]
every_page = pytest.mark.parametrize("language, name", PAGES, ids=lambda value: value)


def prose(language, name):
    """Return a page's own words: no front matter, directive, choice, code, link target or formula.

    Of the glossary, the terms and what is said of them, without what other spellings and languages say.
    """
    own = [replace(term, others=(), translations=()) for term in read(ROOT / "glossary.yml", language)]
    words = {"terms": listed(own, WORDS[language]["letters"])}
    woven = content().pages[language][name].weave(lambda directive: words.get(directive.kind, " "))
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


def test_both_languages_moved_the_same_ids_to_the_same_places():
    heads = {(language, name): content().pages[language][name].front.says.moved for language, name in PAGES}
    assert [name for language, name in PAGES if heads["ko", name] != heads["en", name]] == []


def forbidden(language, text):
    """Return the words of a text that do not belong here."""
    allowed = NAMING.sub(" ", NAMED.sub(" ", text))
    return [found[0] for found in re.finditer(FORBIDDEN[language], allowed, re.I)]


def texts(words):
    """Yield all that is in the engine's words, at any depth."""
    if isinstance(words, str):
        yield words
    elif isinstance(words, dict | tuple):
        for one in words.values() if isinstance(words, dict) else words:
            yield from texts(one)


def test_there_is_a_pair_for_every_page():
    assert set(content().pages["ko"]) == set(content().pages["en"]) >= {"index.md", "detach.md"}


@every_page
def test_the_front_matter_says_what_search_engines_and_the_site_search_need(language, name):
    page = content().pages[language][name]
    assert "front_matter: [title, description, keywords]" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert not [*lacks(page.front, page.path, page.title, ("title", "description", "keywords"))]
    assert [heading.level for heading in page.headings].count(1) == 1


@every_page
def test_no_word_that_does_not_belong_here(language, name):
    assert forbidden(language, prose(language, name)) == []


@pytest.mark.parametrize("language", WORDS)
def test_no_word_that_does_not_belong_here_in_what_the_engine_and_the_glossary_say(language):
    said = [*texts(WORDS[language])]
    for term in read(ROOT / "glossary.yml", language):
        said += [term.term, term.says]
    assert {text: found for text in said if (found := forbidden(language, text))} == {}


@pytest.mark.parametrize(
    "text",
    [
        "당신의 모델", "까닭", "저절로 더해집니다", "다음과 같은 모양은 이렇습니다", "내려받으십시오", "학습 반복문을",
        "변화도 벌점", "돌출 맵", "저장 공간을 함께 쓰는 텐서", "저장 공간을 함께 씁니다", "backward()를 부르면",
        "다시 불러야 합니다", "훅은 한 번만 불렸고", "함수를 부를 때", "잘못된 처방", "뷰에 값을 쓰면", "에 값을 써도",
        "출력에 값을 썼습니다", "리프 텐서", "기울기(gradient)", "그래디언트", "레이어",
    ],
)  # fmt: skip
def test_a_word_that_does_not_belong_here_is_seen(text):
    assert forbidden("ko", text)


@pytest.mark.parametrize(
    "text",
    [
        "잎이라고 부릅니다", "잎(leaf, 리프)이라고 부르는 텐서", "뿌리(root, 루트)", "계층(layer, 레이어)",
        "매개변수(parameter, 파라미터)", "제자리 연산(in-place operation, 인플레이스)", "변화도(gradient, 그래디언트)",
        "변화도(gradient, 기울기)", "그래디언트 페널티", "그래디언트 클리핑", "기울기 소실", "기울기 폭발", "하이퍼파라미터", "저장 공간을 공유하는 텐서", "함께 출력합니다",
        "VJP라고도 부릅니다", "호출하면", "값을 바꾸면", "가중치를 불러옵니다", "불리합니다", "두 가지를 함께 쓰고", "vmap과 함께 쓰기",
        "그 값을 써서 계산합니다", "두 값을 함께 출력합니다", "부분", "부르주아",
    ],
)  # fmt: skip
def test_a_word_that_belongs_here_is_left_alone(text):
    assert forbidden("ko", text) == []


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
    asked = {name for one in page.directives for name, _ in content().asked(one)} - content().labs.keys()
    for output in [*(results()[name].output for name in asked), *(printed for _, printed in shown(page))]:
        printed |= set(re.findall(r"\d+\.\d+|\d{2,}", output))
        printed |= {str(float(number)) for number in re.findall(r"\d+\.(?!\d)", output)}
    text = re.sub(r"(?:torch|PyTorch|Python|NumPy) ?\d+(?:\.\d+)*", "", prose(language, name))
    assert printed & set(re.findall(r"\d+\.\d+|\d{2,}", text)) == set()


@every_page
def test_a_page_has_no_python_fence_that_did_not_come_from_a_snippet(language, name):
    assert not [fence for fence in content().pages[language][name].fences if "py" in fence]
