"""Two languages, one document."""

from weaver.pages.parser import parse
from weaver.pages.translations import differences

WHOLE = (
    "# A { #a }\n\n{{ snippet t/x }}\n\n## B { #b }\n\n{{ value t/x y }}\n\n"
    "{{ question t/z q }}\n- 1\n\nwhy\n{{ end }}\n"
)


def compare(korean, english):
    return differences(parse(korean, "docs/ko/p.md"), parse(english, "docs/en/p.md"))


def test_a_pair_that_says_the_same_has_no_differences():
    assert compare(WHOLE, WHOLE.replace("A {", "다른 제목 {").replace("why", "왜")) == []


def test_a_heading_that_one_lacks_is_named_with_its_place():
    assert compare(WHOLE, WHOLE.replace("## B { #b }\n", "")) == [
        "docs/en/p.md lacks the heading `## { #b }`, which is at docs/ko/p.md:5. "
        "Add it to one page, or remove it from the other."
    ]


def test_a_level_an_id_a_snippet_an_expression_and_a_choice_must_agree():
    for old, new in (
        ("## B", "### B"),
        ("#b", "#c"),
        ("t/x }}", "t/z }}"),
        ("t/x y", "t/x z"),
        ("- 1", "- 2"),
    ):
        problems = compare(WHOLE, WHOLE.replace(old, new, 1))
        assert len(problems) == 2 and all(" lacks " in problem for problem in problems), (old, problems)


def test_a_tables_columns_have_names_in_each_language_but_the_same_expressions():
    table = "{{ table t/x rows | t[0] as value | t[1] }}\n"
    assert compare(table.replace("value", "값"), table) == []
    for new in (table.replace("t[0]", "t[2]"), table.replace(" as value", "")):
        problems = compare(table, new)
        assert len(problems) == 2 and all(" lacks " in problem for problem in problems), new


def test_the_order_matters():
    parts = ["{{ snippet t/x }}\n\n", "{{ snippet t/y }}\n\n"]
    assert compare("".join(parts), "".join(reversed(parts)))


def test_a_heading_needs_an_id_that_a_link_can_hold():
    for heading in ("## 복제", "## 복제 { #복제 }", "## B { #Big }", "## B { .x }"):
        [problem, *_] = compare(f"{heading}\n", f"{heading}\n")
        assert problem.startswith("docs/ko/p.md:1: the heading `") and "needs an id, the same in both languages" in problem


def test_an_id_stands_once_on_a_page():
    problems = compare("## A { #a }\n## B { #a }\n", "## A { #a }\n## B { #a }\n")
    assert problems[0] == "docs/ko/p.md:2: duplicate id `#a`. Choose another."


def test_what_to_read_before_must_agree():
    page = "---\nbefore: [leaf.md]\n---\n# A { #a }\n"
    [problem] = compare(page, page.replace("leaf.md", "leaf.md, start.md"))
    assert problem == "docs/en/p.md:2: `before` differs from docs/ko/p.md: ['leaf.md']. Make them the same."


def test_fences_must_agree():
    [problem] = compare("```text\na\n```\n", "```\na\n```\n")
    assert "different code fences" in problem
