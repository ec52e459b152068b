"""The pages in a real browser, as a phone and as a desk, light and dark: looked at, and heard.

Without `--every-page`, a sample of them in which each kind of directive and page is found.
"""

import gzip
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from jinja2 import Environment, FileSystemLoader
from support.axe import load_axe
from support.project import LANGUAGES, PAGES, ROOT, content, each_page, hear, path_of, scripts, shown

JS = scripts(__file__)
WIDTHS = (360, 1280)
A4 = 680  # between its margins
PRESSED = (
    ".md-header, .md-footer, .md-sidebar, .md-skip, .md-code__nav, .headerlink, article :is(button, summary)"
)
PRINTED = "figure.snippet, .output samp, .question > details > :not(summary), figure.graph svg"


def listen(*pages):
    """Return what axe finds on each page, and, on the last, what contrast lacks in the dark.

    Contrast is most of axe's work: of two pages that differ in width alone, the first is looked at in
    the light and the last in the dark, at the same time, since each has a process of its own.
    """
    *others, last = pages
    found = []
    for page in pages:
        load_axe(page)
        page.emulate_media(color_scheme="light")
        page.evaluate(JS.turned, "light")
        page.evaluate(JS.listen, {"rules": {"color-contrast": {"enabled": page is not last or not others}}})
    found += [("light", *wrong) for wrong in last.evaluate(JS.heard)]
    last.emulate_media(color_scheme="dark")
    last.evaluate(JS.turned, "dark")
    last.evaluate(JS.listen, {"runOnly": ["color-contrast"]})
    found += [("dark", *wrong) for wrong in last.evaluate(JS.heard)]
    return found + [("light", *wrong) for page in others for wrong in page.evaluate(JS.heard)]


@pytest.fixture(
    scope="module",
    params=[pytest.param(one.values, id=one.id, marks=one.marks) for one in each_page(PAGES)],
)
def look(request, browser, address):
    """A page's language and name, and the page, opened once on a phone and once on a desk for all tests."""
    wrong = []
    contexts = [
        browser.new_context(
            viewport={"width": width, "height": 800},
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
        )
        for width in WIDTHS
    ]
    pages = [context.new_page() for context in contexts]
    for page in pages:
        hear(page, address, wrong)
        page.goto(address + path_of(*request.param))
    yield *request.param, *pages
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.mark.parametrize(
    "wrong", [JS.sideways, JS.misplaced, JS.unreached], ids=["scrolls sideways", "is misplaced", "is out of reach"]
)
def test_on_no_page_anything(look, wrong):
    _, _, phone, desk = look
    assert phone.evaluate(wrong) == desk.evaluate(wrong) == []


def test_korean_breaks_between_words(look):
    language, _, phone, _ = look
    if language == "ko":
        assert phone.evaluate(JS.breaking) == []


def test_names_and_texts_are_in_the_language_that_they_say(look):
    language, _, phone, _ = look
    assert phone.evaluate(JS.foreign, language) == []


def test_the_copy_button_copies_each_program_to_the_letter(look):
    language, name, _, desk = look
    desk.bring_to_front()
    copied = desk.evaluate(JS.copy)
    assert copied == [code for code, _ in shown(content().pages[language][f"{name}.md"])]


def test_a_lab_weighs_little_with_its_pictures(visit, site):
    """All that a lab makes a browser fetch but the search index, as a server with gzip sends it."""
    for name in (name for name in PAGES if name.startswith("labs/")):
        fetched = set()
        page = visit("/ko/")
        page.on("response", lambda response, fetched=fetched: fetched.add(urlsplit(response.url).path))
        page.goto(page.url + f"{name}/", wait_until="networkidle")
        pictures = page.locator("article img").evaluate_all(
            "(all) => all.map((one) => new URL(one.src).pathname)"
        )
        paths = [
            site / path.strip("/") for path in {*fetched, *pictures} if not path.endswith("documents.json")
        ]
        files = [path / "index.html" if path.is_dir() else path for path in paths]
        assert pictures and len(files) > 5
        assert sum(len(gzip.compress(file.read_bytes())) for file in files) <= 160_000, name


def test_axe_finds_nothing(look):
    _, _, *pages = look
    for page in pages:
        page.evaluate(JS.open)
    assert listen(*pages) == []


def test_axe_finds_the_one_of_many_alike_that_is_pale(visit):
    page = visit("/en/start/", reduced_motion="reduce")
    page.evaluate("[...document.querySelectorAll('article > p:not([class])')].at(-1).style.color = '#bbb'")
    [(scheme, rule, html)] = listen(page)
    assert (scheme, rule) == ("light", "color-contrast") and "rgb(187, 187, 187)" in html


def test_on_paper_all_answers_are_open_nothing_is_cut_and_nothing_is_to_press(look):
    _, _, _, page = look
    page.evaluate("() => document.querySelectorAll('details').forEach((details) => (details.open = false))")
    page.set_viewport_size({"width": A4, "height": 900})
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("() => document.getAnimations().forEach((animation) => animation.finish())")
    assert page.evaluate(JS.cut) == []
    assert page.evaluate(JS.shown, [PRESSED, True]) == []
    assert page.evaluate(JS.shown, [PRINTED, False]) == []
    assert (
        page.evaluate("getComputedStyle(document.querySelector('article > p:not([class])')).color") == "rgba(0, 0, 0, 0.87)"
    )


@pytest.mark.parametrize("path", ["/en/detach/", "/ko/nan/", "/ko/backward/"])
def test_on_a_phone_the_answer_begins_in_the_upper_half_and_a_way_up_and_contents_are_there(visit, path):
    page = visit(path, 360)
    page.set_viewport_size({"width": 360, "height": 780})
    assert page.locator("article h1 + p").bounding_box()["y"] < 390
    page.locator(".contents summary").click()
    link = page.locator(".contents a").nth(2)
    link.click()
    assert page.url.endswith(link.get_attribute("href")) and page.evaluate("scrollY") > 1000
    page.mouse.wheel(0, -200)
    page.locator(".md-top").click()
    page.wait_for_function("() => scrollY < 10")
    page.set_viewport_size({"width": 1280, "height": 800})
    assert not page.locator(".contents").is_visible()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_in_the_open_search_with_its_results(visit, language, width):
    page = visit(f"/{language}/", width, reduced_motion="reduce")
    page.keyboard.press("/")
    page.keyboard.type("grad")
    page.wait_for_selector(".md-search-result__item")
    assert listen(page) == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("path", ["/", "/404.html"])
def test_the_pages_above_the_languages_fit_the_screen_and_axe_finds_nothing(visit, path, width):
    page = visit(path, width, locale="fr-FR")
    assert page.evaluate(JS.sideways) == []
    assert page.evaluate(JS.breaking) == []
    assert page.evaluate(JS.foreign, "en") == []
    assert listen(page) == []


def test_what_a_reader_misses_can_be_asked_in_one_tap_with_the_address_or_what_was_typed(browser):
    issue = "https://github.com/me/site/issues/new?title=&body="
    page = browser.new_page()
    page.goto("data:text/html,")
    script = (ROOT / "theme/assets/lost.js").read_text(encoding="utf-8")
    ask = f'<section><input name="q"><a class="ask" href="{issue}">Ask</a></section>'
    page.set_content(f"<script>{script}</script>{ask}")
    link, field = page.locator("a.ask"), page.locator("[name=q]")
    assert "title=&" not in link.get_attribute("href")
    field.fill("why & how?")
    assert link.get_attribute("href") == f"{issue.replace('title=', 'title=why+%26+how%3F')}"
    field.fill("")
    assert "why" not in link.get_attribute("href")
    page.close()


@pytest.mark.parametrize("issue", ["https://github.com/me/site/issues/new", None])
def test_the_page_for_missing_pages_offers_to_ask_only_where_there_is_a_place_for_it(issue):
    words = {language: {"missing": "Missing", "search": "Search", "ask": "Ask"} for language in LANGUAGES}
    hashed = {f"assets/{name}": name for name in ("gate.css", "lost.js")}
    languages = {language: {"site_name": "Site"} for language in LANGUAGES}
    weaver = SimpleNamespace(config=SimpleNamespace(languages=languages))
    extra = {"words": words, "hashed": hashed, "root_path": "/", "issue": issue}
    config = SimpleNamespace(extra=extra, plugins={"weaver": weaver}, theme=SimpleNamespace(favicon="x"))
    environment = Environment(loader=FileSystemLoader(ROOT / "theme"))
    environment.filters["url"] = str
    html = environment.get_template("404.html").render(config=config)
    assert html.count(f'<a class="ask" href="{issue}">Ask</a>') == (len(LANGUAGES) if issue else 0)
    assert ("lost.js" in html) == bool(issue)
