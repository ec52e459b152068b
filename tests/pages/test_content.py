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
