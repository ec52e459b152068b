"""The index: every message, every claim and every term is there, and none of them is typed."""

import re

import pytest
import yaml
from support.project import LANGUAGES, ROOT, WORDS, content

from weaver.directives.snippet import SnippetDirective
from weaver.pages.glossary import read


def sections(language, kind):
    """Yield each section of the `errors-` or `claims-` pages: its id and the directives in it."""
    for name, page in content().pages[language].items():
        if name.startswith(f"{kind}-"):
            starts = [heading for heading in page.headings if heading.level == 3]
            ends = [heading.line for heading in page.headings[1:]] + [10**6]
            for heading in starts:
                end = min(line for line in ends if line > heading.line)
                yield heading.id, [d for d in page.directives if heading.line <= d.line < end]


def moved(path):
    """Return where the front matter of a page says that its former sections are told now."""
    return yaml.safe_load(path.read_text(encoding="utf-8").split("---\n", 2)[1]).get("moved", {})


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_messages_are_there_each_taken_from_a_run_with_a_fix_that_was_run(language):
    found = dict(sections(language, "errors"))
    paths = (ROOT / "docs" / language).glob("errors-*.md")
    gone = {id for path in paths for id, place in moved(path).items() if not place.endswith(f"#{id}")}
    assert not gone & found.keys()
    numbers = {re.match(r"e(\d+)", id)[1] for id in found.keys() | gone}
    assert numbers == {f"{number:02}" for number in range(1, 75)}
    for id, directives in found.items():
        assert directives[0].kind == "error", f"{id}: doesn't begin with the message of a run"
        shown = [content().snippets[d.name] for d in directives if isinstance(d, SnippetDirective)]
        assert directives[0].name in {snippet.name for snippet in shown}, id
        assert any(snippet.raises is None for snippet in shown), f"{id}: no program that runs"


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_claims_are_there_each_with_a_verdict_from_its_own_program(language):
    found = dict(sections(language, "claims"))
    gone = {id for path in (ROOT / "docs" / language).glob("claims-*.md") for id in moved(path)}
    assert not gone & found.keys()
    numbers = {re.match(r"m(\d+)", id)[1] for id in found.keys() | gone}
    assert numbers == {f"{number:02}" for number in (*range(1, 68), *range(70, 90))}
    for id, directives in found.items():
        verdict, *others = [d for d in directives if d.kind == "verdict"]
        assert not verdict.within and all(one.within and one.name == verdict.name for one in others), id
        assert verdict.name in {d.name for d in directives if isinstance(d, SnippetDirective)}, id
        source = content().snippets[verdict.name].source
        assert not re.search(r"^holds = [\[(]?(?:(?:True|False)[, \])]*)+$", source, re.M), (
            f"{id}: a typed verdict"
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_verdict_is_typed(language):
    words = [word for key, word in WORDS[language].items() if key.startswith("claim_")]
    typed = rf"^\**(?:{'|'.join(words)})\b"
    for path in (ROOT / "docs" / language).glob("claims-*.md"):
        assert not re.search(typed, path.read_text(encoding="utf-8"), re.M | re.I), path


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_overviews_list_every_section(language):
    for kind in ("errors", "claims"):
        overview = (ROOT / f"docs/{language}/{kind}.md").read_text(encoding="utf-8")
        missing = [id for id, _ in sections(language, kind) if f"#{id})" not in overview]
        assert not missing


def test_the_glossary_has_its_terms_and_links_to_headings_that_there_are():
    for language in LANGUAGES:
        terms = read(ROOT / "glossary.yml", language)
        assert len(terms) >= 63
        for term in terms:
            if term.page:
                name, _, anchor = term.page.partition("#")
                page = content().pages[language][name]
                assert not anchor or anchor in {heading.id for heading in page.headings}, term.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cheat_sheet_is_one_page_of_paper(visit, language):
    pdf = visit(f"/{language}/cheatsheet/").pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) == 1
