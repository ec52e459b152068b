"""A program's trace, opened on a page of the real site."""

import pytest
from support.project import LANGUAGES, results

TEXTS = {"en": "Step through", "ko": "한 줄씩 실행"}

# Takes a trace whose script has run through all its moments; returns what is told, and what is printed last.
REPLAY = """(name) => {
  const place = document.createElement("div");
  const player = weaverTrace.show(place, traces[name], traces.words, { name }), told = [];
  for (const index of player.moments.keys()) { player.go(index); told.push(player.sentence.innerHTML); }
  delete traces[name];
  clearTimeout(player.later);
  clearTimeout(player.keeping);
  return [told, player.moments.at(-1).printed];
}"""


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

# Takes a trace whose script has run through all its moments; returns what is told, and what is printed last.
REPLAY = """(name) => {
  const place = document.createElement("div");
  const player = weaverTrace.show(place, traces[name], traces.words, { name }), told = [];
  for (const index of player.moments.keys()) { player.go(index); told.push(player.sentence.innerHTML); }
  delete traces[name];
  clearTimeout(player.later);
  clearTimeout(player.keeping);
  return [told, player.moments.at(-1).printed];
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_a_question_the_trace_is_behind_the_answer(visit, language):
    page = visit(f"/{language}/detach/")
    [inside] = {
        bool(button.locator("xpath=ancestor::details").count())
        for button in page.locator("section.question [data-trace]").all()
    }
    assert inside

# Takes a trace whose script has run through all its moments; returns what is told, and what is printed last.
REPLAY = """(name) => {
  const place = document.createElement("div");
  const player = weaverTrace.show(place, traces[name], traces.words, { name }), told = [];
  for (const index of player.moments.keys()) { player.go(index); told.push(player.sentence.innerHTML); }
  delete traces[name];
  clearTimeout(player.later);
  clearTimeout(player.keeping);
  return [told, player.moments.at(-1).printed];
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trace_of_the_site_replays_to_its_end(visit, site, language):
    page = visit(f"/{language}/detach/")
    page.locator("[data-trace]").first.click()
    page.locator(".wt").wait_for()
    page.evaluate("window.traces = {}; weaverTrace.add = (name, data) => { traces[name] = data; }")
    page.add_script_tag(url=page.locator("[data-trace]").first.get_attribute("data-words"))
    files = sorted(site.glob("snippets/**/*.trace.js"))
    assert len(files) > 300
    for path in files:
        name = path.relative_to(site / "snippets").as_posix().removesuffix(".trace.js")
        page.add_script_tag(url=f"/snippets/{name}.trace.js")
        told, printed = page.evaluate(REPLAY, name)
        assert told and not [one for one in told if not one or "undefined" in one or "NaN" in one], name
        expected = " ".join(line.text for line in results()[name].lines if line.kind != "raised")
        assert printed.split() == expected.split(), name


def test_without_javascript_there_is_no_button(visit):
    page = visit("/en/detach/", java_script_enabled=False)
    assert page.locator("[data-trace]").count() and not page.locator("[data-trace]:visible").count()
