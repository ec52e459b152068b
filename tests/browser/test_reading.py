"""Reading the site in a real browser: by keyboard alone, without JavaScript, from language to language."""

import re

import pytest
from support.project import LANGUAGES, PAGES, each_page, path_of, scripts

JS = scripts(__file__)
SCHEME = "document.body.dataset.mdColorScheme"


def tab_to(page, selector, limit=250):
    """Press Tab until an element that `selector` matches has the focus; what is passed must be seen."""
    for _ in range(limit):
        page.keyboard.press("Tab")
        where, seen = page.evaluate(JS.focused)
        assert seen, f"the focus is not seen on {where}"
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"Tab does not reach {selector}")


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", LANGUAGES)
def test_by_keyboard_alone_everything_on_a_page_is_reached_and_seen(visit, language, width):
    page = visit(
        path_of(language, "custom-function"), width, reduced_motion="reduce", permissions=["clipboard-read"]
    )
    tab_to(page, ".md-skip")
    if width == 360:
        tab_to(page, ".menu")
        page.keyboard.press("Space")
        tab_to(page, ".md-nav__link[href$='retain-graph/']")
        page.focus(".menu")
        page.keyboard.press("Enter")
        assert not page.locator(".md-nav__link").first.is_visible()
    tab_to(page, ".md-option")
    page.keyboard.press("ArrowRight")
    tab_to(page, ".md-select__link")
    if width == 360:
        tab_to(page, "pre > code")  # of 72 columns, wider than the phone
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.activeElement.scrollLeft > 0")
    tab_to(page, "[data-md-type=copy]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".md-dialog--active")
    assert page.evaluate("navigator.clipboard.readText()").startswith("import torch")
    tab_to(page, ".md-footer__link")


def test_the_skip_link_skips_the_bars(visit):
    page = visit("/en/start/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url.endswith("#start")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('article') !== null")


def test_search_goes_by_keyboard_from_the_first_letter_to_the_page(visit):
    page = visit("/en/")
    page.keyboard.press("/")
    page.keyboard.type("stop-gradient")
    page.wait_for_selector(".md-search-result__item")
    page.keyboard.press("ArrowDown")
    page.wait_for_function(f"() => ({JS.focused})()[1]")  # once the results have opened
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert "/en/stop-gradient/" in page.url


def test_a_question_is_answered_by_keyboard(visit):
    page = visit("/en/in-place/")
    question = page.locator("section.question").first
    tab_to(page, "section.question input")
    page.keyboard.press("Space")
    assert question.locator(".verdict").inner_text()
    assert question.locator("details .output").is_visible()


@pytest.mark.parametrize("language, name", each_page(PAGES))
def test_without_javascript_every_page_is_read_and_changes_its_language(visit, language, name):
    [other] = set(LANGUAGES) - {language}
    page = visit(path_of(language, name), java_script_enabled=False)
    assert page.locator("h1").is_visible()
    page.evaluate("document.querySelectorAll('section.question > details > summary').forEach((one) => one.click())")
    assert page.evaluate(JS.shown, ["samp, figure.graph svg, figure.graph .grad", False]) == []
    page.locator(".md-select button").focus()
    page.locator(f".md-select__link[hreflang={other}]").click()
    assert page.url.endswith(path_of(other, name))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_switch_keeps_the_page_and_the_heading_that_is_read(visit, language):
    [other] = set(LANGUAGES) - {language}

    def switch(page):
        page.locator(".md-select button").focus()
        page.locator(f".md-select__link[hreflang={other}]").press("Enter")  # a click would scroll first
        page.wait_for_url(f"**/{other}/**")
        return page.url.split(f"/{other}/")[1]

    assert switch(visit(f"/{language}/start/")) == "start/"
    assert switch(visit(f"/{language}/start/#on-the-way-back")) == "start/#on-the-way-back"
    page = visit(f"/{language}/start/")
    page.evaluate("document.getElementById('the-graph').scrollIntoView()")
    page.mouse.wheel(0, 30)
    page.wait_for_function("() => document.getElementById('the-graph').getBoundingClientRect().top < 60")
    assert switch(page) == "start/#the-graph"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chosen_language_is_where_the_gate_leads_and_deep_links_stay(visit, language):
    [other] = set(LANGUAGES) - {language}
    page = visit(f"/{other}/leaf/", locale="fr-FR")
    root = page.url.removesuffix(f"/{other}/leaf/")
    page.locator(".md-select button").focus()
    page.locator(f".md-select__link[hreflang={language}]").click()
    page.wait_for_url(f"**/{language}/leaf/")
    page.goto(f"{root}/")
    page.wait_for_url(f"{root}/{language}/")
    page.goto(f"{root}/{other}/detach/#in-one-sentence")
    page.wait_for_timeout(200)
    assert page.url == f"{root}/{other}/detach/#in-one-sentence"


@pytest.mark.parametrize("locale", ["ko-KR", "en-GB"])
def test_without_a_choice_the_gate_follows_the_browser(visit, locale):
    page = visit("/", locale=locale)
    page.wait_for_url(re.compile(rf"://[^/]+/{locale[:2]}/$"))


def test_the_palette_is_kept_across_languages(visit):
    page = visit("/ko/start/")
    before = page.evaluate(SCHEME)
    for chosen in ("default", "slate"):
        page.locator("label[for^=__palette]:not([hidden])").click()
        assert page.evaluate(SCHEME) == chosen
    page.goto(page.url.replace("/ko/", "/en/"))
    assert page.evaluate(SCHEME) == "slate"
    page.locator("label[for^=__palette]:not([hidden])").click()  # automatic again: as the system has it
    page.goto(page.url.replace("/en/", "/ko/"))
    assert page.evaluate(SCHEME) == before == "default"
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("[data-md-color-scheme=slate]")


def test_a_line_of_code_and_the_line_that_it_printed_point_at_each_other(visit):
    page = visit("/en/detach/")
    figure = page.locator("figure.snippet:has(a[href$='/earlier_gradient_stays.py'])")
    assert figure.locator(".highlight [data-line]").count() == 0  # no element before a reader points there
    before = figure.locator(".highlight code").inner_text()
    figure.locator("samp").hover(position={"x": 30, "y": 5})
    assert figure.locator(".highlight code").inner_text() == before
    [code, printed] = figure.locator(".paired").all_inner_texts()
    assert code.startswith('print(f"{x.grad') and printed.startswith("x.grad = ")
    figure.locator("samp [data-by]").nth(1).focus()
    assert [one.split(" ")[0] for one in figure.locator(".paired").all_inner_texts()] == ['print(f"{w.grad', "w.grad"]


def test_a_program_has_its_colors_without_elements_and_keeps_them_when_its_lines_become_some(visit):
    page = visit("/en/custom-function/")
    figure = page.locator("figure.snippet").first
    words = """(figure) => ["keyword", "function", "string", "number"].map((kind) =>
        [...CSS.highlights.get(kind)].filter(({ startContainer }) => figure.contains(startContainer)).map((range) => {
            const live = new Range();
            live.setStart(range.startContainer, range.startOffset);
            live.setEnd(range.endContainer, range.endOffset);
            return String(live);
        }))"""
    page.wait_for_function("() => CSS.highlights.has('keyword')")
    keywords, names, strings, numbers = before = figure.evaluate(words)
    assert {"from", "import", "class", "def", "return"} <= set(keywords) and "backward" in names
    assert numbers and strings and not any("grad" in one for one in strings)
    assert figure.locator(".highlight span").count() == 0
    figure.locator(".highlight").hover()
    assert figure.locator(".highlight [data-line]").count() > 5 and figure.evaluate(words) == before


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_link_leads_to_its_heading_past_all_that_was_not_laid_out_yet(visit, language, width):
    page = visit(f"/{language}/detach/#real-code", width)
    for id in ("real-code", "which-layers"):
        page.evaluate("(id) => (location.hash = id)", id)
        page.wait_for_timeout(300)  # what comes near is laid out now
        assert 0 <= page.locator(f"#{id}").bounding_box()["y"] < 120


def test_on_a_phone_the_drawer_has_the_contents_of_the_page_too(visit):
    page = visit("/en/detach/", 360)
    page.locator(".menu").click()
    page.locator(".md-nav--primary a[href$='#reference']").click()
    page.wait_for_url("**#reference")
    page.wait_for_function("() => document.getElementById('reference').getBoundingClientRect().top < innerHeight")


def test_the_first_paint_has_the_colors_that_the_system_has(visit):
    page = visit("/en/detach/", scheme="dark")
    page.add_init_script("""new MutationObserver((_, seen) => {
        if (!document.querySelector("article")) return;
        window.first = document.body.dataset.mdColorScheme;
        seen.disconnect();
    }).observe(document, { childList: true, subtree: true });""")
    page.reload()
    assert page.evaluate("first") == "slate"
