"""A graph's steps in a real browser: read as a list, and opened in the program's trace."""

import re

import pytest
from support.project import LANGUAGES, path_of


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("way", ["mouse", "keyboard", "touch"])
def test_a_step_of_a_graph_opens_the_trace_where_the_engine_takes_it(visit, language, way):
    page = visit(path_of(language, "start"), 360, has_touch=way == "touch")
    panel = page.locator("figure.graph .panel", has_text="z = 9.8283").first
    panel.locator("summary").first.click()
    told = []
    for button in panel.locator("[data-moment] button").all():
        if way == "mouse":
            button.click()
        elif way == "touch":
            button.tap()
        else:
            button.focus()
            page.keyboard.press("Enter")
        panel.locator(".wt-sentence").wait_for()
        moment = button.get_attribute("aria-label").split()[-1]
        assert panel.locator(".wt-bar output").inner_text().split(" / ")[0] == moment
        numbers = panel.locator(f"li[data-moment='{moment}']")
        told.append((numbers.inner_text(), panel.locator(".wt-sentence").inner_text()))
    assert len(told) == 6
    assert all("0.1 × 10 = 1" in step and "10" in sentence for step, sentence in told[2:3])
    assert "0.6 + 1 = 1.6" in told[-1][0] and "1 + 0.6 = 1.6" in told[-1][1]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_button_below_a_graph_opens_the_pass_that_is_drawn(visit):
    page = visit("/en/start/")
    panel = page.locator("figure.graph .panel", has_text="z = 9.8283").first
    button = panel.locator("> [data-trace]")
    button.click()
    panel.locator(".wt").wait_for()
    assert "receives 1" in panel.locator(".wt-sentence").inner_text()
    button.click()
    assert not panel.locator(".wt").is_visible()


def test_without_javascript_the_picture_and_all_steps_are_there(visit):
    page = visit("/ko/start/", java_script_enabled=False)
    panel = page.locator("figure.graph .panel", has_text="z = 9.8283").first
    assert not panel.locator("button:visible").count()
    assert panel.locator("svg text", has_text=".grad = 1.6").is_visible()
    panel.locator("summary").click()
    assert re.search(r"\n3\. .*\n4\. ", panel.locator(".steps").inner_text())
