"""Search, as a reader uses it: typed into the field of the built site, in a real browser."""

import gzip
import html
import json
import unicodedata

import pytest
import yaml
from support.project import LANGUAGES, ROOT, WORDS, content, hear, results, scripts
from support.sampled import param

QUERIES = yaml.safe_load((ROOT / "tests/queries.yml").read_text(encoding="utf-8"))
ASKED = yaml.safe_load((ROOT / "tests/asked.yml").read_text(encoding="utf-8"))
SYNONYMS = yaml.safe_load((ROOT / "synonyms.yml").read_text(encoding="utf-8"))
FIELD = "[data-md-component=search-query]"
META = ".md-search-result__meta"
JS = scripts(__file__)


@pytest.fixture(scope="module")
def home(browser, address):
    """The home page in each language, opened once; an error in a console is a failure."""
    pages, wrong = {}, []
    for language in LANGUAGES:
        pages[language] = page = browser.new_page()
        hear(page, address, wrong)
        page.goto(f"{address}/{language}/", wait_until="load")
    yield pages
    assert wrong == []


def search(page, query):
    """Empty the field, then put in `query` at once, as by pasting; return the addresses found."""
    page.locator(FIELD).fill("")
    page.wait_for_function("() => !document.querySelector('.md-search-result__item')")
    before = page.locator(META).inner_text()
    page.keyboard.insert_text(query)
    page.wait_for_function(
        "([meta, before]) => document.querySelector(meta).innerText !== before", arg=[META, before]
    )
    return page.evaluate(JS.results)


@pytest.mark.parametrize(
    ("language", "wanted"),
    [(language, wanted) for language in LANGUAGES for wanted in QUERIES[language]],
    ids=lambda value: value["query"][:50] if isinstance(value, dict) else value,
)
def test_the_page_that_answers_is_among_the_first_three(home, language, wanted):
    found = search(home[language], wanted["query"])[:3]
    address = f"/{language}/{wanted['page']}/"
    pages = {links[0].split("#")[0]: links for links in found}
    assert address in pages, found
    assert address + (f"#{wanted['section']}" if "section" in wanted else "") in pages[address]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_people_ask_is_answered_first(home, language):
    """By one of the pages that answer it: at least 90 of a hundred first, 98 among the first three."""
    lost, late, asked = [], [], 0
    for pages, queries in ASKED[language].items():
        addresses = {f"/{language}/{page}/" for page in pages.split()}
        for query in queries:
            found = [links[0].split("#")[0] for links in search(home[language], query)[:3]]
            asked += 1
            lost += [] if addresses & set(found[:1]) else [(query, found)]
            late += [] if addresses & set(found) else [(query, found)]
    assert asked >= 100
    assert len(lost) <= 0.1 * asked, lost
    assert len(late) <= 0.02 * asked, late


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("message", ASKED["nowhere"])
def test_of_a_message_that_no_page_has_the_search_says_so(home, language, message):
    nearest = search(home[language], message)[1:]
    title = home[language].locator(".md-search-result__item h1").first.inner_text()
    assert title == WORDS[language]["absent"] and nearest


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_the_search_is_fetched_before_the_reader_asks_and_no_answer_takes_long(visit, language):
    page = visit(f"/{language}/")
    asked = "() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('documents.json'))"
    page.wait_for_timeout(500)
    assert not page.evaluate(asked)
    search(page, "grad")
    assert page.evaluate(asked)
    times = [page.evaluate(JS.answered, query) for query in ("텐서", "grad", "retain_graph=True", "in-place")]
    assert sorted(times)[1] <= 50


def messages():
    """Yield what the error pages' sections begin with: page, id, the message as torch prints it."""
    for name, page in content().pages["en"].items():
        for heading in page.headings if name.startswith("errors-") else ():
            told = [one for one in page.directives if one.kind.name == "error" and one.line > heading.line]
            if heading.level == 3:
                [(snippet, query)] = told[0].asks
                result = results()[snippet]
                text = result.answer(query).text if query else result.message
                yield name.removesuffix(".md"), heading.id, " ".join(text.split())


@pytest.mark.parametrize("language", ["ko", param("en", each=False)])
def test_a_pasted_message_finds_its_own_section_first(home, language):
    lost, told = [], {}
    for page, id, message in messages():  # two pages may tell of one message
        told.setdefault(message, []).append(f"/{language}/{page}/#{id}")
    for message, addresses in told.items():
        first = search(home[language], message)[0]
        if first[1] not in addresses:
            lost.append((addresses, first[:2]))
    assert not lost, lost


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pasted_message_is_shown_once_and_said_to_be_the_one_and_its_cause_follows(home, language):
    search(home[language], "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn")
    first = home[language].locator(".md-search-result__item").first
    text = " ".join(first.inner_text().split())
    assert text.count("element 0 of tensors does not require grad") == 1
    assert f"have a grad_fn {WORDS[language]['same']}" in text
    assert first.locator("h2").first.locator("mark").count() == 0
    search(home[language], "grad")
    assert WORDS[language]["same"] not in home[language].locator(".md-search-result__list").inner_text()


@pytest.mark.parametrize("language", ["en", param("ko", each=False)])
def test_the_first_eight_words_of_a_message_find_its_section(home, language):
    """Messages that begin alike share the first place: among two pages, three sections each."""
    lost = []
    for page, id, message in messages():
        found = search(home[language], " ".join(message.split()[:8]))[:2]
        if f"/{language}/{page}/#{id}" not in [link for links in found for link in links[:4]]:
            lost.append((id, [links[:4] for links in found]))
    assert not lost, lost


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("텐서를 만듭니다", "텐서"),
        ("텐서", "텐서를"),
        ("변화도", "변화도는"),
        ("그래프", "그래프에서"),
        ("텐서", unicodedata.normalize("NFD", "텐서를")),
        ("텐서", "텐"),
        ("잎 텐서", "잎텐서"),
        ("잎텐서", "잎 텐서"),
        ("연쇄법칙", "법칙"),
        ("연쇄 법칙", "연쇄법칙은"),
        ("사용자 정의 함수", "사용자정의함수"),
        ("변화도", "기울기는"),
        ("변화도", "그래디언트를"),
        ("변화도", "미분값이"),
        ("연산 그래프", "계산 그래프"),
        ("연산 그래프", "계산그래프는"),
        ("잎 텐서", "리프 텐서"),
        ("잎 텐서", "말단"),
        ("제자리 연산", "인플레이스로"),
        ("분리", "떼어내기"),
        ("detach()", "디태치"),
        ("z.grad_fn은 노드입니다", "z.grad_fn"),
        ("<code>z.grad_fn</code>", "grad_fn이"),
        ("retain_graph=True", "retain_graph"),
        ("retain_graph=True", "retain graph"),
        ("retain_graph=True", "retaingraph"),
        ("retain_graph=True", "retain_g"),
        ("retain_graph=True", "retrain_graph"),
        ("requires_grad=False", "requires_gard"),
        ("detach()", "dettach"),
        ("torch.autograd.Function", "autograd.Function"),
        ("an in-place operation", "inplace"),
        ("an inplace operation", "in-place"),
        ("a tensor", "tensors"),
        ("gradients", "Gradient"),
        ("detach", "detached"),
        ("has no attribute 'zero_'", "'NoneType' object has no attribute 'zero_'"),
        ("got [] but expected [3]", '+got [-1] ~but ^"expected:\n [3]*'),
    ],
)
def test_what_a_page_says_is_found_as_it_is_typed(home, text, query):
    assert home["ko"].evaluate(JS.finds, [text, query]) == ["page/"]


@pytest.mark.parametrize("query", ["그래프", "grad", "왜", "the", "2", "+-*~^:", '"', "ㅌ"])
def test_what_no_page_says_is_not_found(home, query):
    assert home["ko"].evaluate(JS.finds, ["텐서 a 1", query]) == []


def test_a_result_names_its_page_and_section_and_lacks_no_word_of_the_reader(home):
    search(home["ko"], "기울기가 계속 쌓여요")
    first = home["ko"].locator(".md-search-result__item").first
    assert first.locator("h1").inner_text() == "변화도는 왜 더해질까요?"
    assert "backward()를 다시 호출하면" in first.locator("h2").all_text_contents()
    assert "누적" not in " ".join(first.locator("del").all_text_contents())


def test_a_word_that_was_begun_is_completed(home):
    field = home["en"].locator(FIELD)
    field.fill("")
    field.press_sequentially("retain_gr")
    home["en"].wait_for_function(
        "() => document.querySelector('.md-search__suggest').innerText === 'retain_graph'"
    )
    field.press("ArrowRight")
    assert field.input_value() == "retain_graph"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_index_is_small_and_has_the_keywords(site, language):
    index = (site / language / "search/documents.json").read_bytes()
    pages = {doc["location"]: doc for doc in json.loads(index)["docs"]}
    assert len(gzip.compress(index)) <= 4_000 * len({place.split("#")[0] for place in pages})
    assert "retain_graph=True" in pages["retain-graph/"]["keywords"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_index_keeps_each_message_apart_from_what_is_said_of_it(site, language):
    index = json.loads((site / language / "search/documents.json").read_bytes())
    told = {doc["location"]: doc.get("message") for doc in index["docs"]}
    for page, id, message in messages():
        assert told[f"{page}/#{id}"].split()[:4] == html.escape(message, quote=False).split()[:4]


def test_each_synonym_is_of_one_word_that_the_pages_have():
    others = [other for several in SYNONYMS.values() for other in several]
    assert len(others) == len(set(others))
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
    assert [term for term in SYNONYMS if term not in text] == []
