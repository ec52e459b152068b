"""A program's trace, opened on a page of the real site."""

import random
from dataclasses import fields
from functools import partial

import pytest
from support.axe import violations
from support.project import LANGUAGES, content, results, scripts
from support.trace.oracle import unlike

from weaver.recording import compact
from weaver.recording.model import TensorState

TEXTS = {"en": "Step through", "ko": "한 줄씩 실행"}

JS = scripts(__file__)


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_a_question_the_trace_is_behind_the_answer(visit, language):
    page = visit(f"/{language}/detach/")
    [inside] = {
        bool(button.locator("xpath=ancestor::details").count())
        for button in page.locator("section.question [data-trace]").all()
    }
    assert inside


@pytest.fixture
def opened(site, every_page):
    """The traces that are opened: their files and the variables that plain runs leave; all, or a sample."""
    files = sorted(site.glob("snippets/**/*.trace.js"))
    assert len(files) > 300
    chosen = files if every_page else random.Random(1).sample(files, 24)
    names = [path.relative_to(site / "snippets").as_posix().removesuffix(".trace.js") for path in chosen]
    return [(name, left(name)) for name in names]


def left(name):
    """Return what a function says is unlike between a state and the variables of a plain run of a program."""
    snippet = content().snippets[name]
    return partial(unlike, str(snippet.path), snippet.source)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trace_is_stepped_to_its_end_by_keyboard_and_ends_with_the_programs_variables(visit, opened, language):
    page = visit(f"/{language}/detach/")
    page.locator("[data-trace]").first.click()
    page.locator(".wt").wait_for()
    page.evaluate("window.traces = {}; weaverTrace.add = (name, data) => { traces[name] = data; }")
    page.add_script_tag(url=page.evaluate("weaverTrace.beside.words"))
    wrong = []
    for name, unlike_plain in opened:
        page.add_script_tag(url=f"/snippets/{name}.trace.js")
        told, printed, state, rows = page.evaluate(JS.replay, name)
        assert told and not [one for one in told if not one or "undefined" in one or "NaN" in one], name
        expected = " ".join(line.text for line in results()[name].lines if line.kind != "raised")
        assert printed.split() == expected.split(), name
        wrong += unlike_plain({one: facts(said) for one, said in state.items()})
        assert set(rows) <= set(state) and (rows or not state), name
    assert wrong == []


def facts(said):
    """Return facts as the player holds them."""
    names = {field.name for field in fields(TensorState)}
    value = compact.value(said["value"])
    return TensorState(**{key: one for key, one in said.items() if key in names} | {"value": value, "shape": tuple(said["shape"])})


@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_with_a_trace_open(visit, width):
    page = visit("/ko/start/", width, reduced_motion="reduce")
    for figure in ("figure.snippet", "figure.graph"):
        page.locator(f"{figure} [data-trace]:visible").first.click()
        page.locator(f"{figure} .wt").first.wait_for()
    for scheme, name in (("light", "default"), ("dark", "slate")):
        page.emulate_media(color_scheme=scheme)
        page.evaluate("name => document.body.setAttribute('data-md-color-scheme', name)", name)
        for key in ("ArrowRight", "End"):
            for bar in page.locator(".wt input[type=range]").all():
                bar.focus()
                page.keyboard.press(key)
            page.evaluate("() => document.querySelectorAll('.wt details').forEach(one => { one.open = true; })")
            assert violations(page, ".wt") == [], (scheme, key)


def test_without_javascript_there_is_no_button(visit):
    page = visit("/en/detach/", java_script_enabled=False)
    assert page.locator("[data-trace]").count() and not page.locator("[data-trace]:visible").count()
