"""What `weaver why` finds has a section on the site that explains it, and that names the command."""

import pytest
from support.project import LANGUAGES, ROOT, content

from weaver.site.words import read
from weaver.why import errors
from weaver.why.sections import SECTIONS

NAMED = "(why.md)"  # the link to the page of the command
USED_UP = "errors-leaf#e38-empty-parameter-list"  # which explains an error and a finding without one


def section(language, place):
    """Return the lines of the section at a place such as `nan#edges`, below its heading."""
    name, _, id = place.partition("#")
    headings = content().pages[language][f"{name}.md"].headings
    [start] = [heading.line for heading in headings if heading.id == id]
    lines = (ROOT / f"docs/{language}/{name}.md").read_text("utf-8").splitlines()
    return lines[start : min((one.line - 1 for one in headings if one.line > start), default=None)]


@pytest.mark.parametrize("place", sorted({*SECTIONS.values()} - errors.ERRORS.keys() | {USED_UP}))
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_finding_has_a_section_which_says_that_the_command_finds_it(language, place):
    assert NAMED in "\n".join(section(language, place))


@pytest.mark.parametrize("place", errors.ERRORS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_of_an_error_is_what_its_section_begins_with(language, place):
    words = errors.ENGLISH if language == "en" else read(ROOT / f"words/{language}.yml")["why"]
    key = f"error_{errors.case(place)}"
    assert f"**{words[key]} {words[f'{key}_do']}**" in section(language, place)


@pytest.mark.parametrize("language", LANGUAGES)
def test_symptoms_begin_with_the_command(language):
    lines = (ROOT / f"docs/{language}/symptoms.md").read_text("utf-8").splitlines()
    title = next(at for at, line in enumerate(lines) if line.startswith("# "))
    assert NAMED in lines[title + 2]
