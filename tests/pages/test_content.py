"""All pages and snippets together: every problem in one go, each with its places."""

from pathlib import Path

import pytest
from support.project import query, result

from weaver.execution.protocol import TRACE
from weaver.pages.content import Content
from weaver.problem import Problem


@pytest.fixture
def site(tmp_path, monkeypatch):
    """Write files into an empty folder, which becomes the working directory."""
    monkeypatch.chdir(tmp_path)

    def write(**files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/")
            path = path.with_suffix(".py" if name.startswith("snippets") else ".md")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return Content(Path("docs"), Path("snippets"), ("ko", "en"))

    return write


PAGE = "# A { #a }\n\n{{ snippet t/x }}\n\nIt is {{ value t/x y }}.\n"


FLIPPED = "# A { #a }\n\n{{ what-if t/x }}\n\nIt is {{ value t/x y }}.\n{{ end }}\n\n{{ value t/x z }}\n"


def test_a_what_if_asks_of_every_variant_and_what_is_behind_it_of_the_first(site):
    content = site(docs__ko__p=FLIPPED, docs__en__p=FLIPPED, snippets__t__x="y = z = 1  # or: 2\n")
    asked = {snippet.name: set(queries) for snippet, queries in content.asked_of_snippets()}
    both = {TRACE, query("text:y")}
    assert asked == {"t/x": {*both, query("text:z")}, "t/x.2": both}
    assert content.traced == {"t/x", "t/x.2"} and content.unflipped() == []


def test_the_programs_of_the_pages_that_come_first_are_asked_for_first(site):
    pages = {f"docs__{language}__{name}": text for language in ("ko", "en") for name, text in (("p", PAGE.replace("t/x", "t/y")), ("q", FLIPPED))}
    content = site(**pages, snippets__t__x="y = z = 1  # or: 2\n", snippets__t__y="y = 1\n")

    def named(order):
        return [snippet.name for snippet, _ in content.asked_of_snippets(order)]

    assert named(["q.md", "p.md"]) == ["t/x", "t/x.2", "t/y"] and named(["p.md", "q.md"]) == named(["p.md"]) == ["t/y", "t/x", "t/x.2"]


def test_each_program_each_message_and_each_claim_counts_once_variants_as_programs(site):
    told = "\n\n{{ error t/e }} {{ error t/e }} {{ verdict t/c holds }}\n"
    programs = {"snippets__t__e": "# raises: ValueError\nraise ValueError\n", "snippets__t__c": "holds = True\n"}
    content = site(
        docs__ko__p=FLIPPED + told, docs__en__p=FLIPPED + told, snippets__t__x="y = z = 1  # or: 2\n", **programs
    )
    assert content.counts == {"programs": 4, "errors": 1, "claims": 1}


def test_alternatives_that_no_page_lets_readers_choose_are_not_run_and_are_known(site):
    content = site(docs__ko__p=PAGE, docs__en__p=PAGE, snippets__t__x="y = 1  # or: 2\n")
    assert content.snippets.keys() == {"t/x"} and content.unflipped() == ["t/x"]


def test_a_what_if_without_alternatives_or_about_a_variant_is_refused(site):
    with pytest.raises(Problem, match=r"docs/en/p\.md:3: `t/x` offers no alternatives. Write `# or: ...` after"):
        site(docs__ko__p=FLIPPED, docs__en__p=FLIPPED, snippets__t__x="y = z = 1\n")
    one = FLIPPED.replace("t/x", "t/x.2")
    with pytest.raises(Problem, match=r"docs/en/p\.md:3: there is no snippet `t/x\.2`.* Did you mean `t/x`\?"):
        site(docs__ko__p=one, docs__en__p=one, snippets__t__x="y = z = 1  # or: 2\n")


def test_a_variant_that_fails_is_named_with_the_places_that_show_it(site):
    content = site(docs__ko__p=FLIPPED, docs__en__p=FLIPPED, snippets__t__x="y = z = 1  # or: 2\n")
    with pytest.raises(Problem) as problem:
        content.check({"t/x": result("1"), "t/x.2": result(failure="prints too much.", failure_line=1)})
    assert str(problem.value).startswith("snippets/t/x.py:1: the snippet with `2` prints too much. Shown in: docs/ko/p.md:3")


def test_queries_of_both_languages_are_asked_of_one_run(site):
    content = site(docs__ko__p=PAGE, docs__en__p=PAGE, snippets__t__x="y = 1\n")
    [(snippet, queries)] = content.asked_of_snippets()
    assert (snippet.name, queries) == ("t/x", [TRACE, query("text:y")] * 2)


def test_a_page_that_one_language_lacks_is_a_problem(site):
    with pytest.raises(Problem) as problem:
        site(docs__ko__p=PAGE, snippets__t__x="y = 1\n", docs__en__q="# Q { #q }\n")
    assert str(problem.value).splitlines() == [
        "docs/en/p.md is missing: docs/ko/p.md has no counterpart. Write it.",
        "docs/ko/q.md is missing: docs/en/q.md has no counterpart. Write it.",
    ]


def test_an_unknown_snippet_is_named_with_the_page_and_line(site):
    with pytest.raises(Problem) as problem:
        site(docs__ko__p=PAGE, docs__en__p=PAGE, snippets__t__z="y = 1\n")
    assert str(problem.value).splitlines()[0] == (
        "docs/ko/p.md:3: there is no snippet `t/x` (snippets/t/x.py). Did you mean `t/z`?"
    )


def test_a_failed_snippet_is_named_with_every_place_and_its_own_line(site):
    content = site(docs__ko__p=PAGE, docs__en__p=PAGE, snippets__t__x="y = 1\nraise E\n")
    with pytest.raises(Problem) as problem:
        content.check({"t/x": result(failure="raised something.", failure_line=2)})
    assert str(problem.value) == (
        "snippets/t/x.py:2: the snippet raised something. "
        "Shown in: docs/ko/p.md:3, docs/ko/p.md:5, docs/en/p.md:3, docs/en/p.md:5."
    )


LAB = "---\njupyter: {{}}\n---\n# A {{ #a }}\n\n```python{}\nimport time\nprint(time.time())\n```\n"


def test_a_cell_that_reads_a_clock_is_measured(site):
    with pytest.raises(Problem, match=r"docs/en/labs/p\.md:8: cell 1 uses `time\.time`, which differs in every run"):
        site(docs__ko__labs__p=LAB.format(""), docs__en__labs__p=LAB.format(""))
    measured = LAB.format(' tags=["measured"]')
    assert site(docs__ko__labs__p=measured, docs__en__labs__p=measured).labs
