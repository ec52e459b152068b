"""What a reader takes along of a program: its link, or program, output and link as Markdown."""

import re

import pytest
from support.axe import violations
from support.project import LANGUAGES, WORDS, content, results

CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


def take(page, figure, what):
    """Return what is copied when a reader opens the menu of a program and presses `link` or `markdown`."""
    page.bring_to_front()
    figure.scroll_into_view_if_needed()  # its buttons come with it
    figure.locator(".share").click()
    page.locator(f"#share [data-share={what}]").click()
    page.locator("#share").wait_for(state="hidden")
    return page.evaluate("navigator.clipboard.readText()")


def figure_of(page, name):
    return page.locator(f"figure.snippet:has(> [id='{name}'])")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [360, 1280])
def test_each_program_has_a_link_that_leads_to_it(visit, language, width):
    page = visit(f"/{language}/detach/", width, **CLIPBOARD)
    ids = page.locator("figure.snippet > figcaption[id]").evaluate_all("all => all.map(({ id }) => id)")
    programs = [one.name for one in content().pages[language]["detach.md"].directives if one.shows_program]
    assert ids == list(dict.fromkeys(programs))
    link = take(page, figure_of(page, ids[2]), "link")
    assert link == f"{page.url}#{ids[2]}"
    page.goto("about:blank")
    page.goto(link)
    box = figure_of(page, ids[2]).bounding_box()
    assert 0 <= round(box["y"]) < 200
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("language", LANGUAGES)
def test_as_markdown_it_is_program_output_and_link(visit, language):
    page = visit(f"/{language}/detach/", **CLIPBOARD)
    first = next(one for one in content().pages[language]["detach.md"].directives if one.kind == "snippet")
    text = take(page, figure_of(page, first.name), "markdown")
    code, printed, link = re.fullmatch(r"```python\n(.*?)```\n\n\S+ \(torch [\d.]+[^()]*\):\n\n```text\n(.*?)```\n\n\[.+\]\((\S+)\)\n", text, re.S).groups()
    assert code == content().snippets[first.name].code and printed == results()[first.name].output
    assert link == f"{page.url}#{first.name}" and WORDS[language]["output"] in text


def test_an_answer_that_is_closed_is_not_given_away(visit):
    page = visit("/en/detach/", **CLIPBOARD)
    question = page.locator("section.question").first
    figure = question.locator("figure.snippet").first
    assert "```text" not in take(page, figure, "markdown")
    question.locator("> details > summary").click()
    assert "```text" in take(page, figure, "markdown")


def test_the_link_opens_the_trace_at_the_step_that_was_seen(visit):
    page = visit("/en/detach/", **CLIPBOARD)
    figure = page.locator("figure.snippet:has(figcaption [data-trace])").first
    figure.locator("[data-trace]").click()
    for _ in range(3):
        figure.locator("[data-go=next]").click()
    at = figure.locator(".wt-bar output").inner_text()
    link = take(page, figure, "link")
    page.goto("about:blank")
    page.goto(link)
    page.locator(".wt").wait_for()
    assert page.locator(".wt-bar output").inner_text() == at


def test_the_link_and_the_markdown_are_of_the_choice_that_is_shown(visit):
    page_name, flip = next(
        (name.removesuffix(".md"), one)
        for name, page in content().pages["en"].items()
        for one in page.directives
        if one.flips and not one.wrong and not content().snippets[one.name].places[0].is_number
    )
    page = visit(f"/en/{page_name}/", **CLIPBOARD)
    section = page.locator(f"section.what-if[data-name='{flip.name}']")
    section.locator(".offer input").nth(1).check()
    other = content().snippets[flip.name].variants[1]
    page.wait_for_function("name => new URLSearchParams(location.search).get('if') === name", arg=f"{flip.name}.2")
    text = take(page, section.locator("figure.snippet"), "markdown")
    assert f"```python\n{other.code.rstrip()}\n```" in text
    link = take(page, section.locator("figure.snippet"), "link")
    assert link.endswith(f"?if={flip.name}.2#{flip.name}")
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_function("name => document.querySelector(`[data-name='${name}'] code`).textContent.trim()", arg=flip.name)
    assert section.locator(".offer input").nth(1).is_checked()


def test_a_cell_of_a_lab_has_a_link_too(visit):
    page = visit("/ko/labs/gan/", **CLIPBOARD)
    figure = page.locator("figure.snippet").nth(1)
    assert take(page, figure, "link") == f"{page.url}#cell-2"


def test_the_menu_is_reached_by_keyboard_and_closes_again(visit):
    page = visit("/en/detach/", 360, **CLIPBOARD)
    button = page.locator(".share").first
    button.focus()
    page.keyboard.press("Enter")
    page.locator("#share").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert "#detach/" in page.evaluate("navigator.clipboard.readText()")
    button.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert page.locator("#share").is_hidden()


@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_with_the_menu_open(visit, language):
    page = visit(f"/{language}/detach/", 360, reduced_motion="reduce")
    page.locator(".share").first.click()
    for scheme, name in (("light", "default"), ("dark", "slate")):
        page.emulate_media(color_scheme=scheme)
        page.evaluate("name => document.body.setAttribute('data-md-color-scheme', name)", name)
        assert violations(page, "figure.snippet, #share") == [], scheme
        box = page.locator("#share").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 360


def test_no_two_elements_of_a_page_have_one_id(site):
    for path in site.rglob("index.html"):
        ids = re.findall(r'<[a-z][^>]*? id="([^"]+)"', path.read_text(encoding="utf-8"))
        assert len(ids) == len(set(ids)), path
