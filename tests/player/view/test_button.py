"""The button on a page: it loads nothing before the click, then the player and one trace, also from disk."""

import gzip
import json

from support.project import TRACE_WORDS, hear
from support.trace.viewed import PROGRAMS, trace_of

from weaver.mkdocs.assets import minified
from weaver.player import view
from weaver.player.page import view_data

BUTTON = (view.FOLDER / "button.js").read_text("utf-8")


def site(folder):
    """Write a page with two programs, as a site would; return its address."""
    (folder / "player.js").write_bytes(minified("player.js", view.script().encode()))
    (folder / "player.css").write_bytes(minified("player.css", view.style().encode()))
    (folder / "words.js").write_text(f'weaverTrace.add("words", {json.dumps(TRACE_WORDS["ko"])})', "utf-8")
    html = ""
    for name in ("detach", "twice"):
        data = json.dumps(view_data(trace_of(name), PROGRAMS[name]))
        (folder / f"{name}.js").write_text(f'weaverTrace.add("{name}", {data})', "utf-8")
        html += (
            f'<button hidden aria-expanded="false" data-trace="{name}.js" data-name="{name}" data-target="at-{name}" '
            'data-player="player.js" data-style="player.css" data-words="words.js">한 줄씩 실행</button>'
            f'<div id="at-{name}" hidden></div>'
        )
    page = f'<!DOCTYPE html><html lang="ko"><meta charset="utf-8"><title>t</title><body>{html}<script>{BUTTON}</script>'
    (folder / "index.html").write_text(page, "utf-8")
    return (folder / "index.html").as_uri()


def test_a_page_carries_only_a_small_button():
    assert len(gzip.compress(minified("button.js", BUTTON.encode()), 9)) <= 1000


def test_two_traces_of_a_page_open_close_and_keep_their_own_steps(browser, tmp_path):
    address, wrong, asked = site(tmp_path), [], []
    page = browser.new_page()
    hear(page, "file://", wrong)
    page.on("request", lambda request: asked.append(request.url.split("/")[-1]))
    page.goto(address)
    assert asked == ["index.html"]
    buttons = page.locator("[data-trace]")
    buttons.first.click()
    page.locator("#at-detach .wt").wait_for()
    assert sorted(asked[1:]) == ["detach.js", "player.css", "player.js", "words.js"]
    buttons.last.click()
    page.locator("#at-twice .wt").wait_for()
    assert sorted(asked[1:]) == ["detach.js", "player.css", "player.js", "twice.js", "words.js"]
    page.locator("#at-twice input").focus()
    page.keyboard.press("End")
    steps = [page.locator(f"#at-{name} .wt-bar output").inner_text() for name in ("detach", "twice")]
    assert steps == ["1 / 9", "18 / 18"]
    page.wait_for_url("**?step=18&of=twice")
    buttons.last.click()
    assert not page.locator("#at-twice").is_visible()
    assert buttons.last.get_attribute("aria-expanded") == "false"
    page.goto(f"{address}?step=5&of=detach")
    page.locator("#at-detach .wt").wait_for()
    assert page.locator("#at-detach .wt-bar output").inner_text() == "5 / 9"
    assert not page.locator("#at-twice .wt").count()
    page.close()
    assert wrong == []
