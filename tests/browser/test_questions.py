"""All questions of the site: ten at a time, and a plain list where there are no scripts."""

import pytest
from support.project import LANGUAGES, ROOT, hear, mkdocs, serving, write_files

CONFIG = f"""
site_name: Test
site_url: http://localhost/
theme: {{name: material, font: false, custom_dir: {ROOT}/theme}}
plugins:
  - search
  - weaver:
      policy: true
      words: {ROOT}/words
      languages: {{ko: {{name: 한국어}}, en: {{name: English}}}}
nav: [index.md, all.md, labs/page.md]
markdown_extensions: [attr_list]
extra_css: [assets/site.css]
extra_javascript: [assets/site.js, assets/progress.js]
extra: {{scope: /}}
"""
NUMBER = 13
QUESTION = "{{ question t/q_NUMBER y }}\n- 99\n\nWhy.\n{{ end }}\n\n"
TEXTS = {
    "index": "# Home { #home }\n",
    "all": "# All { #all }\n\n{{ questions }}\n",
    "labs/page": "---\njupyter: {}\n---\n# A < B { #p }\n\n"
    + "".join(QUESTION.replace("NUMBER", str(number)) for number in range(NUMBER)),
}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Where a small site with questions is served, and its folder."""
    folder = tmp_path_factory.mktemp("questions")
    files = {"mkdocs.yml": CONFIG, "docs/index.md": "# Gate { #gate }\n"}
    files |= {f"snippets/t/q_{number}.py": f"y = {number}\nprint(y)\n" for number in range(NUMBER)}
    for language in LANGUAGES:
        files |= {f"docs/{language}/{name}.md": text for name, text in TEXTS.items()}
    write_files(folder, files)
    build = mkdocs("build", "--strict", cwd=folder)
    assert build.returncode == 0, build.stdout
    with serving(folder / "site") as address:
        yield address, folder / "site"


@pytest.fixture
def reader(browser, small):
    wrong = []
    context = browser.new_context(viewport={"width": 360, "height": 780})
    page = context.new_page()
    hear(page, small[0], wrong)
    page.goto(f"{small[0]}/en/all/")
    yield page
    context.close()
    assert wrong == []


def drawn(page):
    return page.locator("ol.questions > li section").evaluate_all("all => all.map((one) => one.dataset.question)")


def answer(page, number, right):
    page.locator("ol.questions > li").nth(number).locator(f"input[data-right={str(right).lower()}]").click()


def test_ten_are_drawn_and_counted_and_the_rest_comes_next(reader):
    assert reader.locator("ol.questions > li:visible").count() == 0
    reader.locator(".draw button").click()
    first = drawn(reader)
    assert len(set(first)) == 10 == reader.locator("ol.questions > li:visible").count()
    answer(reader, 0, True)
    assert reader.locator(".draw p").inner_text() == "1 of 10 right, 9 to go."
    answer(reader, 1, False)
    answer(reader, 1, True)  # only the first choice counts
    for number in range(2, 10):
        answer(reader, number, True)
    assert reader.locator(".draw p").inner_text() == "9 of 10 right."
    reader.locator(".draw button").click()
    assert len(drawn(reader)) == NUMBER - 10 and not {*drawn(reader)} & {*first}
    assert not reader.locator(".draw button").is_visible()


def test_the_count_stays_in_sight_and_the_next_ten_come_after_these(reader):
    reader.locator(".draw button").click()
    assert reader.evaluate("document.activeElement.matches('ol.questions > li')")
    answer(reader, 0, True)
    said, last = reader.locator(".draw p").bounding_box(), reader.locator("ol.questions > li").last.bounding_box()
    assert said["y"] + said["height"] <= 780 < last["y"] < reader.locator(".draw button").bounding_box()["y"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reader_chooses_what_the_questions_are_about(visit, language):
    page = visit(f"/{language}/quiz/")
    options = page.locator(".draw option").all_inner_texts()
    page.locator(".draw select").select_option("cut")
    page.locator(".draw button").click()
    pages = page.locator("ol.questions > li details a").evaluate_all("all => all.map((one) => one.pathname.split('/')[2])")
    cut = {"detach", "stop-gradient", "in-place", "clone", "retain-graph"}
    assert len(pages) == 10 and {*pages} <= cut
    every = visit(f"/{language}/quiz/", java_script_enabled=False)
    number = sum(every.locator(f"ol.questions a[href^='../{one}/']").count() for one in cut)
    assert len(options) > 5 and any(text.endswith(f"({number})") for text in options)


def test_what_was_answered_right_once_is_asked_last(reader):
    reader.locator(".draw button").click()
    right = drawn(reader)
    for number in range(10):
        answer(reader, number, True)
    reader.reload()
    reader.locator(".draw button").click()
    assert {f"t/q_{number}" for number in range(NUMBER)} - {*right} < {*drawn(reader)}


def test_an_answer_leads_to_the_question_on_the_page_that_explains_it(reader):
    reader.locator(".draw button").click()
    answer(reader, 0, False)
    [name, *_] = drawn(reader)
    link = reader.locator("ol.questions > li details a").first
    assert link.inner_text() == "A < B"
    link.click()
    reader.wait_for_url(f"**/en/labs/page/#ask-{name.replace('/', '-').replace('_', '-')}")
    assert reader.locator(":target").get_attribute("data-question") == name


def test_without_javascript_it_is_a_list_with_its_answers_folded(browser, small):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{small[0]}/ko/all/")
    assert page.locator("ol.questions > li:visible").count() == NUMBER
    answers = page.locator("ol.questions details p > code")
    assert [answers.nth(at).is_visible() for at in (0, NUMBER - 1)] == [False, False]
    page.locator("summary").first.click()
    assert answers.first.inner_text() == "0" and page.locator(".draw:visible").count() == 0
    context.close()


def test_the_list_is_not_searched_and_its_twin_names_the_pages(small):
    index = (small[1] / "en/search/documents.json").read_text()
    assert "q_0" not in index
    assert "- [A < B](../labs/page/index.md)" in (small[1] / "en/all/index.md").read_text(encoding="utf-8")
