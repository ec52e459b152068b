"""The reader's torch: chosen once, followed by every output that differs there."""

import re

import pytest
from support.project import LANGUAGES, ROOT, WORDS, content, results, scripts

from weaver.directives.wordings import MESSAGE, wording
from weaver.execution.snippets.source import find
from weaver.versions import record

NAME = "double-backward/which_have_none"  # cdist has a second derivative in some versions
CLAMP = "claims-backward/gradients_at_a_kink"


def other(name):
    """Return a version that prints something else, and what it prints."""
    snippet = find(ROOT / "snippets", name)
    [found] = record.elsewhere(snippet, record.read(ROOT / "snippets"))[name].others[-1:]
    return found.versions[-1], found.output


def output(page, name):
    return page.locator(f"figure.snippet:has(> [id='{name}']) .output").first


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [360, 1280])
def test_a_choice_is_followed_by_the_outputs_that_differ_and_kept(visit, language, width):
    version, text = other(NAME)
    page = visit(f"/{language}/double-backward/", width)
    shown = output(page, NAME)
    before = shown.locator("samp").first.text_content()
    page.locator("#torch").select_option(version)
    assert shown.locator("samp").first.text_content() == text
    assert shown.locator("p").first.text_content() == f"{WORDS[language]['output']} (torch {version})"
    page.reload()
    assert page.locator("#torch").input_value() == version
    assert shown.locator("samp").first.text_content().strip() == text.strip()
    page.locator("#torch").select_option(page.locator("#torch").get_attribute("data-own"))
    assert shown.locator("samp").first.text_content() == before
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name, at", [(NAME, "double-backward"), (CLAMP, "claims-backward")])
def test_the_other_output_is_one_tap_away(visit, name, at):
    version, text = other(name)
    page = visit(f"/en/{at}/")
    fold = output(page, name).locator("details.versions")
    fold.locator("summary").click()
    shown = fold.locator(f"pre[data-torch~='{version}']")
    assert shown.inner_text().strip() == text.strip() and shown.locator(".differs").count()


def test_without_scripts_there_is_no_choice_but_the_fold(visit):
    page = visit("/en/double-backward/", java_script_enabled=False)
    assert not page.locator("#torch").is_visible()
    fold = output(page, NAME).locator("details.versions")
    fold.locator("summary").click()
    assert re.match("Different in torch ", fold.locator("summary").inner_text())
    assert fold.locator("pre").first.is_visible()


def wordings(language):
    """Yield the messages that other versions give in the sections that show them, each with its page."""
    for path, page in content().pages[language].items():
        for one in (one for one in page.directives if one.kind == "wordings"):
            known = record.elsewhere(find(ROOT / "snippets", one.name), record.read(ROOT / "snippets"))
            for other in (some for some in known[one.name].others if MESSAGE.search(some.output)):
                yield wording(other.output, results()[one.name].message), f"/{language}/{path.removesuffix('.md')}/"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pasted_message_of_another_version_finds_its_page(visit, language):
    asked = list(wordings(language))
    found = visit(f"/{language}/").evaluate(scripts(__file__).asked, {"queries": [message for message, _ in asked]})
    firsts = [answer["places"][:1] for answer in found]
    lost = [(message, page, some) for (message, page), some in zip(asked, firsts, strict=True) if not some or not some[0][0].startswith(page)]
    assert len(asked) >= 8 and lost == []


@pytest.mark.parametrize(
    "query, page, section",
    [
        ("torch 2.15 clamp", "which-operations", ""),
        ("torch 2.15 cdist", "double-backward", "none"),
        ("assigned grad has data of a different size", "errors-leaf", "e16"),
    ],
)
def test_a_difference_is_found_by_its_version(visit, query, page, section):
    [found] = visit("/en/").evaluate(scripts(__file__).asked, {"queries": [query]})
    first = found["places"][:3]
    assert any(f"/en/{page}/#{section}" in place for links in first for place in links), first
