"""The way through the pages: stages from the navigation, and nothing that builds on what comes later."""

import pytest
from support.project import content

from weaver.pages.parser import parse
from weaver.pages.way import Position, Way, key
from weaver.problem import Problem

NAV = ["index.md", "path.md", {"one": ["a.md", {"B": "b.md"}]}, {"two": ["labs/c.md"]}, {"rest": ["d.md"]}]
TEXTS = {
    "path": "# P\n\n{{ stage one }}\n\n{{ stage two }}\n",
    "a": "# A { #a }\n\n{{ question t/x y }}\n- 1\n{{ end }}\n",
    "b": "---\nbefore: [a.md#a]\n---\n# B `b()` { #b }\n",
    "labs/c": "---\njupyter: {}\n---\n# C\n",
    "d": "# D\n\n{{ question t/z y }}\n- 1\n{{ end }}\n",
}


def way(nav=NAV, **texts):
    found = {f"{name}.md": parse(text, f"docs/en/{name}.md") for name, text in (TEXTS | texts).items()}
    return Way(found, nav)


def test_the_stages_are_the_sections_that_a_page_names():
    found = way()
    assert found.at == "path.md" and list(found.stages) == ["one", "two"]
    assert found.place("b.md") == Position("one", 1, 2, 2, 2)
    assert found.place("labs/c.md") == Position("two", 2, 2, 1, 1)
    assert found.place("d.md") is found.place("path.md") is None
    assert found.listed()["one"] == "- [A](a.md)\n- [B `b()`](b.md)\n"


def test_a_site_without_stages_or_navigation_has_no_way():
    for nav in (None, ["a.md"]):
        found = way(nav, path="# P\n", b="# B\n")
        assert found.at is None and found.stages == {} and found.place("a.md") is None
        assert [at for _, at in found.questions()] == ["a.md", "d.md"]


def test_questions_come_in_the_order_of_the_way():
    assert [(one.name, at) for one, at in way().questions()] == [("t/x", "a.md"), ("t/z", "d.md")]
    assert [at for _, at in way(["d.md", "a.md", "b.md"], b="# B\n").questions()] == ["d.md", "a.md"]


def test_what_to_know_before_has_the_title_of_its_page():
    assert way().before("b.md") == [("A", "a.md#a")]


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("aa.md", "there is no page `aa.md`. Did you mean `a.md`?"),
        ("a.md#c", "`a.md` has no id `c`. There is: `a`."),
        ("d.md", "`d.md` should be read before `b.md`, but doesn't come before it in `nav`. Move one of them."),
    ],
)  # fmt: skip
def test_what_to_know_before_is_there_and_comes_before(before, said):
    with pytest.raises(Problem) as problem:
        way(b=f"---\nbefore: [{before}]\n---\n# B\n")
    assert str(problem.value) == f"docs/en/b.md:2: {said}"


def test_stages_stand_in_the_order_of_the_navigation():
    with pytest.raises(Problem, match=r"path\.md: its stages aren't in the order of `nav`\. Write one, two"):
        way(path="# P\n\n{{ stage two }}\n\n{{ stage one }}\n")


def test_a_page_is_called_the_same_whatever_its_ending():
    assert key("labs/gan.md") == "labs/gan"


def test_every_question_of_the_site_is_about_a_program_of_its_own_by_which_it_is_remembered():
    pages = [page for page in content().pages["en"].values()]
    asked = [one.name for page in pages for one in page.directives if one.kind == "question"]
    assert len(asked) == len(set(asked)) > 90
