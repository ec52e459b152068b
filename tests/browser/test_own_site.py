"""The sites of the authors' guide: each builds, and what directives show looks and works right in each theme."""

import re

import pytest
from support.project import ROOT, mkdocs, serving, write_files

from weaver.mkdocs.options import Options

GUIDES = ["weaver/README.md", "weaver/README.ko.md"]
ONE, TWO = 1, 2  # the guide's sections with a site in one language, and in two
THEMES = ["material", "mkdocs", "readthedocs", "{name: mkdocs, color_mode: dark}"]
FILE = re.compile(r"`([\w./]+)`:\n\n```\w+\n(.*?)```\n", re.DOTALL)
HIGHLIGHT = "window.hljs = { highlightAll() {}, initHighlightingOnLoad() {} };"  # as the themes' own, from another host


def files(guide, section):
    """Return the files of the site in a section of the guide: path -> text."""
    text = (ROOT / guide).read_text(encoding="utf-8").split("\n## ")[section]
    return dict(FILE.findall(text + "\n"))


@pytest.fixture(scope="module", params=THEMES)
def page(request, tmp_path_factory, browser):
    """The smallest site in a theme, opened."""
    folder, wrong = tmp_path_factory.mktemp("own"), []
    theme = f"theme: {request.param}"
    write_files(folder, {name: text.replace("theme: material", theme) for name, text in files(GUIDES[0], ONE).items()})
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


@pytest.mark.parametrize("section, number", [(ONE, 3), (TWO, 6)])
def test_both_languages_of_the_guide_have_the_same_files(section, number):
    assert files(GUIDES[0], section) == files(GUIDES[1], section) and len(files(GUIDES[0], section)) == number


def test_both_languages_of_the_guide_have_every_setting():
    for guide in GUIDES:
        text = (ROOT / guide).read_text(encoding="utf-8")
        assert [name for name, _ in Options._schema if f"`{name}`" not in text] == []


def test_the_site_in_two_languages_opens_at_its_root_and_says_what_was_run_in_both(tmp_path, browser):
    write_files(tmp_path, files(GUIDES[0], TWO))
    built = mkdocs("build", "--strict", cwd=tmp_path)
    assert built.returncode == 0, built.stdout
    with serving(tmp_path / "site") as address:
        page = browser.new_page()
        page.route(lambda url: "127.0.0.1" not in url, lambda route: route.fulfill(body=""))
        for name, heading, output in (("English", "Gradients", "Output"), ("Deutsch", "Gradienten", "Ausgabe")):
            page.goto(f"{address}/")
            page.get_by_role("link", name=name).first.click()
            assert page.locator("h1").inner_text().startswith(heading)
            assert page.locator(".output samp").inner_text().strip() == "x.grad = tensor(6.)"
            assert page.locator(".output p").inner_text().startswith(output)
            assert page.locator("code.value").inner_text() == "6.0"


def test_a_graph_has_its_colours_and_its_steps(page):
    box, text = (styled(page, f".graph {part}", "fill") for part in ("path.leaf", "text.value"))
    assert abs(light(box) - light(text)) > 90, (box, text)
    steps = page.locator(".graph details.steps")
    steps.locator("summary").click()
    assert "x = 3" in steps.inner_text() and "AccumulateGrad" in steps.inner_text()
    steps.locator("[data-moment] button").first.click()
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
