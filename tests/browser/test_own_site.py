"""A site of one's own, as the engine's README has it: what directives show looks and works right in each theme."""

import re

import pytest
from support.project import ROOT, mkdocs, serving, write_files

from weaver.mkdocs.options import Options

READMES = ["weaver/README.md", "weaver/README.ko.md"]
THEMES = ["material", "mkdocs", "readthedocs", "{name: mkdocs, color_mode: dark}"]
FILE = re.compile(r"`([\w./]+)`:\n\n```\w+\n(.*?)```\n", re.DOTALL)
HIGHLIGHT = "window.hljs = { highlightAll() {}, initHighlightingOnLoad() {} };"  # as the themes' own, from another host


def files(readme):
    return dict(FILE.findall((ROOT / readme).read_text(encoding="utf-8")))


@pytest.fixture(scope="module", params=THEMES)
def page(request, tmp_path_factory, browser):
    """The smallest site in a theme, opened."""
    folder, wrong = tmp_path_factory.mktemp("own"), []
    theme = f"theme: {request.param}"
    write_files(folder, {name: text.replace("theme: material", theme) for name, text in files(READMES[0]).items()})
    built = mkdocs("build", "--strict", cwd=folder)
    assert built.returncode == 0, built.stdout
    with serving(folder / "site") as address:
        page = browser.new_page()
        page.route(
            lambda url: "127.0.0.1" not in url,
            lambda route: route.fulfill(body=HIGHLIGHT if route.request.url.endswith(".js") else ""),
        )
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda m: m.type == "error" and wrong.append(m.text))
        page.goto(f"{address}/", wait_until="load")
        yield page
    assert wrong == []


def styled(page, selector, name):
    return page.locator(selector).first.evaluate(f"e => getComputedStyle(e)['{name}']")


def light(colour):
    """Return how light a colour is, from 0 to 255."""
    return sum(map(float, re.findall(r"[\d.]+", colour)[:3])) / 3


def test_both_languages_of_the_readme_have_the_same_files_and_every_setting():
    assert files(READMES[0]) == files(READMES[1]) and len(files(READMES[0])) == 3
    for readme in READMES:
        text = (ROOT / readme).read_text(encoding="utf-8")
        assert [name for name, _ in Options._schema if f"`{name}`" not in text] == []


def test_a_graph_has_its_colours_and_its_steps(page):
    box, text = (styled(page, f".graph .leaf {part}", "fill") for part in ("rect", "text.value"))
    assert abs(light(box) - light(text)) > 90, (box, text)
    steps = page.locator(".graph details.steps")
    steps.locator("summary").click()
    assert "x = 3" in steps.inner_text() and "AccumulateGrad" in steps.inner_text()
    steps.locator("[data-moment]").first.click()
    page.locator(".graph .wt").wait_for()


def test_a_question_opens_its_answer_and_says_whether_it_was_right(page):
    page.locator(".question label", has_text="6.0").click()
    assert page.locator(".question .verdict").inner_text() == "Right."
    assert page.locator(".question details").get_attribute("open") is not None
    assert styled(page, ".question legend", "fontSize") == styled(page, ".question fieldset", "fontSize")


def test_a_program_can_be_stepped_through_in_a_font_for_code(page):
    page.locator("figcaption [data-trace]").click()
    page.locator(".wt").first.wait_for()
    page.locator(".wt-bar button", has_text="Next").first.click()
    assert "monospace" in styled(page, ".wt-code code, .wt-code pre, .wt code", "fontFamily")
    picture = page.locator(".wt svg text").first
    assert "mono" in picture.evaluate("e => getComputedStyle(e).fontFamily").lower()


def test_output_value_and_formula_are_there(page):
    assert page.locator(".output samp").first.inner_text().strip() == "x.grad = tensor(6.)"
    assert page.locator("code.value").inner_text() == "6.0"
    assert page.locator("math").count() == 1
    width = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert width <= 0
