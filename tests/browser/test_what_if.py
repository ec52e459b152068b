"""Every what-if of the site, flipped through in a browser: each variant's program, output and all that follows."""

import re

import pytest
from support.project import LANGUAGES, content, path_of, results, scripts, show
from support.sampled import param

from weaver.escape import visible
from weaver.mkdocs.placeholders import Placeholders

JS = scripts(__file__)
WITH = [
    name.removesuffix(".md")
    for name, page in content().pages["en"].items()
    if any(directive.flips for directive in page.directives)
]


def plain(html):
    """Return the text of HTML without what only arranges it."""
    text = re.sub(r"<[^>]*>", "", html)
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#x27;", "'"), ("&amp;", "&")):
        text = text.replace(entity, character)
    return re.sub(r"[\s\u2060]", "", text)


def followers(page):
    """Return the directives that follow each what-if of a page, by their places on it."""
    marks = Placeholders(page)
    marks.set(show(content().snippets, {}))
    found = {}
    for number, directive in enumerate(marks.directives):
        if directive.flips:
            found[directive.line] = directive, {}
        elif directive.within:
            found[directive.within.line][1][str(number)] = directive
    return found.values()


@pytest.mark.parametrize("name", [param(name, each=number % 4 == 0) for number, name in enumerate(WITH)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_variant_stands_there_with_what_its_run_gave_and_controls_are_large_and_side_by_side(visit, language, name):
    page = visit(path_of(language, name))
    for index, (what_if, rest) in enumerate(followers(content().pages[language][f"{name}.md"])):
        shown = show(content().snippets, results(), language)
        words = shown.words
        variants = shown.variants(what_if.name)
        for there in [*variants[1:], *variants]:  # the first may be shown already
            one = there.snippets[what_if.name]
            seen = page.evaluate(JS.flip, [index, one.choice, f"{one.name}.py"])
            where = f"{what_if.place}: {one.label}"
            assert seen["code"] == one.code.rstrip() + "\n", where
            assert (seen["pieces"].pop("output") or "") == visible(results()[one.name].output), where
            assert seen["address"].endswith(f"/snippets/{one.name}.py") and seen["room"], where
            assert seen["step"] in (one.name, None), where
            assert seen["hidden"] in ("hidden", None) and seen["verdict"] in (words["right"], None), where
            for number, text in seen["pieces"].items():
                html = rest[number].html(there) if exists(rest[number], there) else words["what_if_stopped"]
                assert plain(text) in (plain(html), "–"), (where, number)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        small = page.evaluate(
            "[...document.querySelectorAll('.what-if .offer :is(label, [type=range])')]"
            ".filter((one) => one.offsetHeight < 44 || one.offsetWidth < 44 || one.getBoundingClientRect().right > innerWidth).length"
        )
        assert small == 0 and page.evaluate("document.documentElement.scrollWidth") <= width


def exists(directive, there):
    """Whether the variant came so far that it had what the directive shows."""
    outcome = there.results[directive.what_if.name]
    answers = [there.results[name].answer(query) for name, query in directive.queries]
    return not (outcome.error and any((one.error or "").startswith("NameError") for one in answers))


@pytest.fixture
def opened(visit):
    """A function that returns the page of the first what-if with a prediction, and that what-if."""

    def opened(query="", **options):
        [name, *_] = [
            name
            for name in WITH
            if any(one.flips and one.wrong for one in content().pages["en"][f"{name}.md"].directives)
        ]
        page = visit(f"/en/{name}/{query}", **options)
        return page, page.locator("section.what-if:has(.predict)").first

    return opened


def test_by_keyboard_a_variant_is_chosen_predicted_copied_and_linked_to(opened):
    page, section = opened(permissions=["clipboard-read"])
    first = section.locator("code").first.text_content()
    section.locator(".offer input:checked").focus()
    page.keyboard.press("ArrowRight")
    section.locator(".predict").wait_for()
    assert not section.locator("[data-flip=output]").is_visible()
    section.locator(".predict input").first.focus()
    page.keyboard.press("Space")
    assert section.locator(".predict .verdict").inner_text()
    assert section.locator("[data-flip=output] samp").is_visible()
    changed = section.locator("code").first.text_content()
    assert changed != first and section.locator(".offers .differs").count() == 1
    section.locator(".md-code__button[data-md-type=copy]").first.click()
    assert page.evaluate("navigator.clipboard.readText()") == changed
    page.wait_for_url("**/?if=*")
    name = section.get_attribute("data-name")
    assert page.url.split("?if=")[1] == f"{name.replace('/', '%2F')}.2"
    page.reload()
    page.wait_for_function("() => document.querySelector('.what-if .differs')")
    assert section.locator("code").first.text_content() == changed
    assert section.locator(".offer input:checked").get_attribute("value") == "1"


def test_an_open_trace_becomes_that_of_the_variant(opened):
    page, section = opened()
    section.evaluate(JS.resting)
    section.locator("figcaption [data-trace]").click()
    section.locator(".wt").wait_for()
    section.locator(".offer label").nth(1).click()
    name = section.get_attribute("data-name")
    page.wait_for_function(
        "name => document.querySelector('.what-if .wt-code')?.textContent.length"
        " && document.querySelector(`[data-name='${name}.2'][aria-expanded=true]`)",
        arg=name,
    )
    code = content().snippets[f"{name}.2"].code
    assert re.sub(r"\s", "", code) in re.sub(r"\s", "", "".join(section.locator(".wt-code code").all_text_contents()))


def test_nothing_is_asked_for_before_a_hand_comes_near(opened):
    page, section = opened()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if re.search(r"\.\d+\.[0-9a-f]{8}\.js", url)]
    with page.expect_request(re.compile(r"\.\d+\.[0-9a-f]{8}\.js")):
        section.locator(".offer label").nth(1).hover()


def test_without_javascript_there_is_a_table_of_all_and_nothing_to_press(opened):
    _, section = opened(java_script_enabled=False)
    assert section.locator("details.outputs td").first.is_visible()
    assert section.locator(".offer").count() and not section.locator(".offer:visible").count()
