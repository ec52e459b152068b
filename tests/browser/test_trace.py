"""A program's trace, opened on a page of the real site."""

import pytest
from support.project import LANGUAGES

TEXTS = {"en": "Step through", "ko": "한 줄씩 실행"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [360, 1280])
def test_a_program_is_stepped_to_its_end_by_keyboard(visit, language, width):
    page = visit(f"/{language}/detach/", width)
    asked = []
    page.on("request", lambda request: asked.append(request.url.split("/")[-1].split(".")[0]))
    button = page.locator("figcaption [data-trace]").first
    assert button.inner_text() == TEXTS[language]
    page.wait_for_load_state("networkidle")
    assert not {"player", "words"} & set(asked)
    button.focus()
    page.keyboard.press("Enter")
    trace = page.locator(".wt")
    trace.wait_for()
    name = button.get_attribute("data-name").split("/")[-1]
    assert sorted(one for one in asked if one in ("player", "words", name)) == [name, "player", "player", "words"]
    trace.locator("input[type=range]").focus()
    seen = set()
    while (at := trace.locator(".wt-bar output").inner_text()) not in seen:
        seen.add(at)
        assert trace.locator(".wt-sentence").inner_text()
        page.keyboard.press("ArrowRight")
    now, last = at.split(" / ")
    assert now == last and int(last) > 1
    printed = trace.locator("samp").last.inner_text()
    shown = button.locator("xpath=ancestor::figure").locator(".output pre > samp").inner_text()
    assert printed.split() == shown.split()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=f"/tmp/st/{language}{width}.png")


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_a_question_the_trace_is_behind_the_answer(visit, language):
    page = visit(f"/{language}/detach/")
    [inside] = {
        bool(button.locator("xpath=ancestor::details").count())
        for button in page.locator("section.question [data-trace]").all()
    }
    assert inside


def test_without_javascript_there_is_no_button(visit):
    page = visit("/en/detach/", java_script_enabled=False)
    assert page.locator("[data-trace]").count() and not page.locator("[data-trace]:visible").count()
