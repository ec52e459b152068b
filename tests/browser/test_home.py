"""The home page in a real browser: it shows what this is before anything is scrolled, and answers at once."""

import gzip
from urllib.parse import urlsplit

import pytest
from support.axe import violations
from support.project import LANGUAGES, WORDS, content, scripts

JS = scripts(__file__)
SCREENS = [(360, 740), (1280, 800)]
TRACEBACK = """Traceback (most recent call last):
  File "train.py", line 7, in <module>
    loss.backward()
RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
"""


def home(visit, language, width=360, height=740, **options):
    page = visit(f"/{language}/", width, **options)
    page.set_viewport_size({"width": width, "height": height})
    return page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width, height", SCREENS)
def test_a_sentence_a_program_its_output_and_the_button_that_plays_it_are_on_the_first_screen(visit, language, width, height):
    page = home(visit, language, width, height)
    for seen in ("#home", "#home ~ p >> nth=0", ".play button", "figure.snippet code >> nth=0", "figure.snippet samp >> nth=0"):
        box = page.locator(seen).first.bounding_box()
        assert box["height"] and box["y"] >= 0 and box["y"] + box["height"] <= height, seen


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width, height", [(360, 780), (1280, 800)])
def test_the_three_doors_are_on_the_first_screen_too_in_one_line(visit, language, width, height):
    page = home(visit, language, width, height)
    links = page.locator(".doors a")
    boxes = [links.nth(at).bounding_box() for at in range(links.count())]
    doors = page.locator("#begin + ul > li strong a")
    assert [link.get_attribute("href") for link in links.all()] == [door.get_attribute("href") for door in doors.all()]
    assert len({box["y"] for box in boxes}) == 1 and boxes[0]["y"] + boxes[0]["height"] < height / 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width, height", SCREENS)
def test_the_program_plays_once_when_asked_and_to_its_end(visit, language, width, height):
    page = home(visit, language, width, height, clocked=True)
    assert not page.locator(".wt").count()
    button = page.locator(".play button")
    said = button.inner_text()
    button.click()
    page.locator(".wt").wait_for()
    assert button.inner_text() != said
    at = page.locator(".wt-bar output")
    steps = [at.inner_text()]
    while button.inner_text() != said:
        page.clock.run_for(1800)
        steps.append(at.inner_text())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    now, last = steps[-1].split(" / ")
    assert now == last and len(steps) == int(last)
    page.clock.run_for(5000)
    assert at.inner_text() == steps[-1]
    for seen in (".play button", ".wt-sentence", ".wt-bar"):
        box = page.locator(seen).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, seen
    assert "8" in page.locator("#home ~ figure .wt-row .grad").last.inner_text()


def test_it_waits_when_it_is_told_to_and_when_the_reader_takes_it_in_hand(visit):
    page = home(visit, "en", clocked=True)
    button, at = page.locator(".play button"), page.locator(".wt-bar output")
    for stop in (button.click, page.locator(".wt [data-go=next]").click):
        button.click()
        page.locator(".wt").wait_for()
        page.clock.run_for(1800)
        assert button.inner_text() == "Pause"
        stop()
        assert button.inner_text() == "Play it line by line"
        seen = at.inner_text()
        page.clock.run_for(5000)
        assert at.inner_text() == seen
    button.click()
    page.clock.run_for(1800)
    assert int(at.inner_text().split()[0]) == int(seen.split()[0]) + 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pasted_message_opens_the_search_with_its_section_first(visit, language):
    page = home(visit, language, permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", TRACEBACK)
    page.locator(".ask input").focus()
    page.keyboard.press("Control+V")
    page.wait_for_selector(".md-search-result__item")
    first = page.evaluate(JS.results)[0]
    assert any(link.endswith("/errors-backward/#e01-no-grad-fn") for link in first), first
    assert page.locator("[data-md-component=search-query]").input_value() == TRACEBACK.strip().split("\n")[-1]


def test_a_message_that_is_typed_is_looked_for_when_it_is_sent(visit):
    page = home(visit, "en")
    page.locator(".ask input").fill("Trying to backward through the graph a second time")
    page.keyboard.press("Enter")
    page.wait_for_selector(".md-search-result__item")
    assert "e02-second-time" in str(page.evaluate(JS.results)[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_javascript_there_are_the_program_its_output_its_graph_and_three_plain_doors(visit, language):
    page = home(visit, language, java_script_enabled=False)
    assert not page.locator(".play:visible, .ask:visible").count()
    assert page.locator("figure.snippet samp").first.is_visible() and page.locator("figure.graph svg").is_visible()
    assert page.locator("figure.graph .key .leaf").is_visible() and not page.locator("figure.graph .freed:visible").count()
    doors = page.locator("#begin + ul > li strong a")
    assert doors.count() == 3 and doors.first.get_attribute("href") == "errors/"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_promise_says_what_was_run_in_this_build(visit, language):
    proof = home(visit, language).locator("#promise ~ p").first.inner_text()
    for fact in content().counts.values():
        assert f"{fact:,}" in proof
    about = visit(f"/{language}/").locator("aside.about").inner_text()
    assert all(word in about for word in (WORDS[language]["commit"], "torch"))
    assert page_commit(about) in proof


def page_commit(about):
    """Return the commit that stands in what a page was made of, or what stands for none."""
    return next((word for word in about.split() if len(word) >= 7 and set(word) <= set("0123456789abcdef")), "-")


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_weighs_at_most_100_kb_before_anything_is_asked(visit, site, language):
    fetched = []
    page = visit(f"/{language}/detach/")
    page.on("response", lambda response: fetched.append(urlsplit(response.url).path))
    page.goto(page.url.replace("detach/", ""), wait_until="networkidle")
    paths = {site / path.strip("/") for path in fetched}
    files = [path / "index.html" if path.is_dir() else path for path in paths]
    weights = {file.name: len(gzip.compress(file.read_bytes())) for file in files}
    assert len(weights) > 3 and sum(weights.values()) <= 100_000, weights


@pytest.mark.parametrize("width, height", SCREENS)
def test_axe_finds_nothing_while_it_plays(visit, width, height):
    page = home(visit, "ko", width, height, reduced_motion="reduce")
    page.locator(".play button").click()
    page.locator(".wt").wait_for()
    page.locator(".play button").click()
    for scheme, name in (("light", "default"), ("dark", "slate")):
        page.emulate_media(color_scheme=scheme)
        page.evaluate("name => document.body.setAttribute('data-md-color-scheme', name)", name)
        assert violations(page, "article") == [], scheme
