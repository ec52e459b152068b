"""The pictures in a real browser: Chromium without a window, with mouse, keyboard and touch."""

import pytest
from support.project import LANGUAGES, path_of


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("way", ["mouse", "keyboard", "touch"])
def test_a_graph_is_stepped_through_by(visit, language, way):
    page = visit(path_of(language, "start"), 360, has_touch=way == "touch")
    panel = page.locator("figure.graph .panel", has_text="z = 9.8283").first
    following, position = panel.locator("[data-go='1']"), panel.locator("output")
    steps = panel.locator(".steps li").count()
    assert position.inner_text() == f"0 / {steps}"

    def go_on():
        if way == "mouse":
            following.click()
        elif way == "touch":
            following.tap()
        else:
            following.focus()
            page.keyboard.press("ArrowRight")

    grad = panel.locator("svg text.grad", has_text=".grad =")
    told = []
    for number in range(1, steps + 1):
        assert grad.is_visible() == (number == 1)  # the whole picture, and then not before its step
        go_on()
        assert position.inner_text() == f"{number} / {steps}"
        told.append(panel.locator("p.told").inner_text())
    assert grad.is_visible()
    assert told == [
        one.strip() for one in panel.locator(".steps li").evaluate_all("all => all.map(li => li.textContent)")
    ]
    assert "0.6 + 1 = 1.6" in told[-1]
    assert following.get_attribute("aria-disabled") == "true"
    panel.locator("[data-go='0']").click()
    assert position.inner_text() == f"0 / {steps}"


def test_arrow_keys_go_both_ways_and_to_the_ends(visit):
    page = visit("/en/start/")
    panel = page.locator("figure.graph .panel").first
    panel.locator("[data-go='1']").focus()
    shown = []
    for key in ("End", "ArrowLeft", "Home", "ArrowRight"):
        page.keyboard.press(key)
        shown.append(panel.locator("output").inner_text().split(" / ")[0])
    last = panel.locator(".steps li").count()
    assert shown == [str(last), str(last - 1), "0", "1"]


def test_without_javascript_the_picture_and_all_steps_are_there(visit):
    page = visit("/ko/start/", java_script_enabled=False)
    panel = page.locator("figure.graph .panel", has_text="z = 9.8283").first
    assert not panel.locator(".stepper").is_visible()
    assert panel.locator("svg text", has_text=".grad = 1.6").is_visible()
    panel.locator("summary").click()
    assert panel.locator(".steps li").last.is_visible()
