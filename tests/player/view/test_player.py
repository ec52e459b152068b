"""The view of a trace in a real browser: stepping, folding, the address, and the last state."""

import gzip
import re

import pytest
from playwright.sync_api import expect
from support.axe import violations
from support.project import LANGUAGES, TRACE_WORDS, hear, scripts
from support.sampled import param
from support.trace.sentences import REAL
from support.trace.trace_view import state_shown, walk
from support.trace.viewed import PROGRAMS, trace_of
from support.trace.warm import traced

from weaver.mkdocs.assets import minified
from weaver.player import view
from weaver.player.page import page as make_page
from weaver.recording.limits import Limits

JS = scripts(__file__)


@pytest.fixture
def look(browser, tmp_path):
    """Open the page of a trace from the disk; a request, or an error in the console, is a failure."""
    contexts, wrong = [], []

    def look(name, language="en", width=1280, address="", trace=None, source=None, **options):
        file = tmp_path / f"{name}.{language}.html"
        file.write_text(make_page(trace or trace_of(name), source or PROGRAMS[name], language), "utf-8")
        context = browser.new_context(viewport={"width": width, "height": 740}, **options)
        contexts.append(context)
        page = context.new_page()
        hear(page, f"file://{tmp_path}", wrong)
        page.goto(f"file://{file}{address}")
        page.wait_for_function("window.player")
        return page

    yield look
    for context in contexts:
        context.close()
    assert wrong == []


def position(page):
    return page.locator(".wt-bar output").inner_text()


def sentence(page):
    return page.locator(".wt-sentence").inner_text()


def go(page, step):
    page.evaluate("step => player.go(step)", step)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_keyboard_steps_to_the_end_and_the_last_state_is_the_traces(
    look, name, language
):
    page = look(name, language, address="?step=0")
    told = walk(page)
    assert all(text and "{" not in text.replace('f"{', "") for text in told) or name == "module"
    assert position(page).split(" / ")[0] == position(page).split(" / ")[1]
    shown, expected = state_shown(page, trace_of(name))
    assert shown == expected


def test_the_scrubber_the_keys_and_the_buttons_go_to_the_same_steps(look):
    page = look("detach", address="?step=0")
    for key, at in [("End", 9), ("ArrowLeft", 8), ("Home", 0), ("ArrowRight", 1), (" ", 4)]:
        page.keyboard.press(key)
        assert position(page) == f"{at} / 9"
    page.locator("[data-go=next]").click()
    assert position(page) == "5 / 9"
    page.locator("[data-go=back]").click()
    page.locator("input[type=range]").fill("7")
    assert position(page) == "7 / 9"
    page.locator("[data-go=whole]").click()
    assert position(page) == "9 / 9"
    page.locator("[data-line='4']").click()
    assert position(page) == "3 / 9"
    page.locator("[data-go=to_backward]").click()
    assert position(page) == "4 / 9"


def test_space_presses_the_button_that_has_the_focus(look):
    page = look("detach", address="?step=0")
    page.locator("[data-go=next]").focus()
    page.keyboard.press(" ")
    assert position(page) == "1 / 9"


def test_an_address_leads_to_a_step_and_follows_it(look):
    page = look("detach", address="?step=5")
    assert position(page) == "5 / 9"
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**?step=6")
    assert position(look("detach", address="?step=99")) == "9 / 9"
    assert position(look("detach", address="?step=nonsense")) == "0 / 9"
    assert position(look("detach", address="?step=3&of=another")) == "3 / 9"


def test_similar_iterations_are_folded_and_open_again(look):
    page = look("training", address="?step=0")
    chips = page.locator(".wt-strip button")
    page.locator("[data-line='8']").click()
    assert chips.all_inner_texts() == ["i = 0", "i = 1", "… 97 the same …", "i = 99", "end"]
    chips.nth(2).click()
    assert sentence(page) == "97 iterations that look the same here, from i = 2 to i = 98. Their values may differ."
    before = len(walk(page, "ArrowRight"))
    assert before < 30
    chips.nth(2).click() if chips.count() else page.locator("[data-line='8']").click()
    go(page, 25)
    assert (
        "i = 2" in page.locator(".wt-where").inner_text() or "i = 1" in page.locator(".wt-where").inner_text()
    )


def test_a_backward_call_opens_into_the_engines_steps_and_closes(look):
    page = look("detach", address="?step=8")
    fold = page.locator("[data-fold]")
    assert fold.get_attribute("aria-expanded") == "true"
    fold.click()
    page.keyboard.press("ArrowLeft")
    assert position(page) == "3 / 9"
    page.keyboard.press("ArrowRight")
    assert position(page) == "8 / 9"
    assert "x.grad went from None to 3" in sentence(page)
    page.locator("[data-fold]").click()
    assert position(page) == "4 / 9"


def test_the_sentences_say_what_a_step_did(look):
    page = look("twice", address="?step=0")
    assert walk(page)[2:6] == [
        "New leaf: x. backward() adds any gradient that arrives there to x.grad.",
        "y = x**3 was recorded as PowBackward0. Saved for backward: self = 5.",
        "backward() starts at y with the gradient 1.",
        "PowBackward0 receives 1, multiplies it by its local derivative 75, and passes 75 to x.",
    ]
    told = walk(look("in_place", address="?step=0"))
    assert "out.zero_() increased the version of out from 0 to 1. SigmoidBackward0 had saved version 0 for backward." in told
    assert (
        "SigmoidBackward0 saved result (out) at version 0, but out.zero_() (line 5) wrote to it and it's now at "
        "version 1, so the engine stops here."
        in told
    )
    told = walk(look("twice", address="?step=12"))
    assert (
        "The engine stops at PowBackward0: an earlier backward pass, y.backward() (line 7), freed the tensors "
        "that PowBackward0 had saved."
        in told
    )
    told = walk(look("detach", address="?step=0"))
    assert any("cut off from x by detach" in one for one in told)


def test_a_page_of_its_own_opens_where_the_engine_failed(look):
    assert sentence(look("in_place")).startswith("SigmoidBackward0 saved result (out) at version 0")


def test_a_page_of_its_own_opens_at_the_line_that_makes_the_loss_of_the_first_pass(look):
    source = "import torch\nw = torch.ones(1, requires_grad=True)\nfor i in range(2):\n  y = w * 2\n  z = y.sum()\n  z.backward()\n"
    page = look("loss", trace=traced("loss.py", source)[0], source=source)
    assert sentence(page).startswith("z = y.sum() was recorded as SumBackward0.")
    assert page.locator(".wt-where").inner_text() == "line 5 · i = 0"
    source = source.replace("z = y.sum()", "pass").replace("z.backward()", "y.sum().backward()")
    page = look("pass", trace=traced("pass.py", source)[0], source=source)
    assert sentence(page).startswith("backward() starts at")


def test_a_page_without_a_pass_opens_at_the_first_tensor_that_requires_a_gradient(look):
    source = "import torch\ny = torch.ones(1)\nx = torch.ones(1, requires_grad=True)\nz = x * 2\n"
    page = look("leaf", trace=traced("leaf.py", source)[0], source=source)
    assert sentence(page).startswith("New leaf: x.")


def test_the_first_nan_is_told_where_it_came_from_and_the_page_opens_there(look):
    source = (
        "import torch\nx = torch.zeros(2, requires_grad=True)\ny = x.sqrt() * 0\ny.sum().backward()\nprint(x.grad)\n"
    )
    page = look("nan", trace=traced("nan.py", source)[0], source=source)
    assert sentence(page).startswith("SqrtBackward0 receives [0, 0] and passes [nan, nan] to x.")
    assert sentence(page).endswith("The first nan shown is in SqrtBackward0.")


def test_a_nan_that_no_pass_meets_opens_no_page(look):
    source = "import torch\ntable = torch.tensor([1.0, float('nan')])\nw = torch.ones(1, requires_grad=True)\nz = w * 2\nz.backward()\n"
    page = look("empty", trace=traced("empty.py", source)[0], source=source)
    assert sentence(page).startswith("z = w * 2 was recorded as MulBackward0.")


def test_the_in_place_error_of_a_step_between_two_passes_names_the_parameter_and_the_line(look):
    source = (REAL / "in_place_between_backwards.py").read_text("utf-8")
    page = look("step", trace=traced("step.py", source)[0], source=source)
    assert sentence(page) == (
        "AddmmBackward0 saved mat2 (critic.2.weight) at version 1, but critic_optimizer.step() (line 18) wrote to it "
        "and it's now at version 2, so the engine stops here."
    )


def test_tensors_of_one_storage_are_grouped_and_marked(look):
    page = look("views", address="?step=4")
    shared = page.locator(".wt-shared .wt-name")
    assert shared.all_inner_texts() == ["a", "row"] or shared.all_inner_texts() == ["row", "a"]
    colours = page.locator(".wt-shared").evaluate_all(
        "all => all.map(li => getComputedStyle(li).borderInlineStartColor)"
    )
    assert colours[0] == colours[1]


def test_three_of_many_changed_tensors_are_shown_and_the_rest_counted(look):
    page = look("text")
    page.locator("[data-line='5']").click()
    assert page.locator(".wt-table > ul > li").count() == 3
    assert page.locator(".wt-more summary").first.inner_text().endswith("7 more changed")


def test_the_picture_keeps_its_layout_and_fills_step_by_step(look):
    page = look("detach", address="?step=2")
    places = "() => [...document.querySelectorAll('.wt-picture .box rect')].map(one => one.outerHTML)"
    first, ink = page.evaluate(places), []
    for _ in range(7):
        ink.append(page.locator(".wt-picture .box:not(.later)").count())
        page.keyboard.press("ArrowRight")
    assert page.evaluate(places) == first
    assert ink == sorted(ink) and ink[0] == 1
    go(page, 5)
    assert page.locator(".wt-picture .label.lit text").all_text_contents() == ["3", "1 × 3"]
    go(page, 8)
    assert "line-through" in page.locator(".wt-picture .saved").first.evaluate(
        "one => getComputedStyle(one).textDecoration"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_phone_the_line_the_changed_tensor_and_the_sentence_are_seen_together(look, language):
    for name in PROGRAMS:
        page = look(name, language, width=360, address="?step=0", has_touch=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        bar = page.locator(".wt-bar").bounding_box()
        page.locator("[data-go=next]").tap()
        seen = [".wt-now", ".wt-sentence", ".wt-changed"]
        assert page.evaluate(JS.hidden, [seen, bar["y"], 12]) == [], name
        assert page.evaluate("scrollY") == 0
        page.context.close()


def test_a_step_is_announced_once(look):
    page = look("detach", address="?step=2")
    said = page.locator("[role=status]")
    assert said.inner_text() == ""
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(said).to_have_text(re.compile(f"{re.escape(sentence(page))}$"))
    assert page.locator("[aria-live]").count() == 0


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(360, "light"), (1280, "dark"), param(360, "dark", each=False), param(1280, "light", each=False)],
)
def test_axe_finds_nothing(look, width, scheme):
    for name, steps in [
        ("in_place", (0, 4, 9, 10)),
        ("views", (4, 9)),
        ("training", (9, 40)),
        ("text", (2, 4, 6)),
    ]:
        page = look(name, "ko", width=width, color_scheme=scheme)
        for step in steps:
            go(page, step)
            page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true; })")
            assert violations(page) == [], (name, step)


def test_the_player_is_not_printed(look):
    page = look("detach")
    page.emulate_media(media="print")
    assert not page.locator(".wt").is_visible()


def test_the_player_is_small():
    parts = {"player.js": view.script(), "player.css": view.style()}
    sizes = [len(gzip.compress(minified(name, text.encode()), 9)) for name, text in parts.items()]
    assert sum(sizes) <= 17_200


def test_both_languages_have_the_same_words_with_the_same_places():
    def places(text):
        return sorted(set(re.findall(r"\{#?(\w+)\}", text)))

    assert TRACE_WORDS["ko"].keys() == TRACE_WORDS["en"].keys()
    for key, text in TRACE_WORDS["en"].items():
        assert places(text) == places(TRACE_WORDS["ko"][key]), key


def test_what_the_recorder_left_out_is_reported_in_its_place(look):
    source = PROGRAMS["training"]
    trace = traced("training.py", source, Limits(steps=40))[0]
    assert any(step.gap for step in trace.steps)
    page = look("training", trace=trace, source=source, address="?step=0")
    gaps = [step.gap for step in trace.steps if step.gap]
    said = f"{gaps[0].steps} steps are missing here, including {gaps[0].iterations} whole iterations of the loop on line {gaps[0].line}."
    assert any(one.startswith(f"{said} They were recorded, but left out to save space.") for one in walk(page))
