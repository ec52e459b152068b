"""Pages that are labs: what their syntax accepts, and the sentence for what it does not."""

import pytest
from support.project import show

from weaver.execution.labs.model import LabOutcome
from weaver.pages.content import Content
from weaver.pages.parser import parse
from weaver.pages.translations import differences
from weaver.problem import Problem

HEAD = "---\njupyter: {{}}\n---\n\n# L {{ #l }}\n\n{}\n"


def test_code_that_differs_between_languages_is_named_with_both_lines():
    one = parse(HEAD.format("```python\nx = 1\ny = 2\n```\n"), "docs/ko/labs/it.md")
    other = parse(HEAD.format("```python\nx = 1\ny = 3\n```\n"), "docs/en/labs/it.md")
    assert differences(one, other) == [
        "docs/ko/labs/it.md:7 and docs/en/labs/it.md:7: cell 1 has `y = 2` in one and `y = 3` in the other. "
        "Make them the same."
    ]


def test_a_measured_cell_is_measured_in_all_languages_and_descriptions_are_in_each_its_own():
    one = parse(HEAD.format('```python tags=["measured"] alt="그림"\nx = 1\n```\n'), "docs/ko/labs/it.md")
    other = parse(HEAD.format('```python alt="A picture"\nx = 1\n```\n'), "docs/en/labs/it.md")
    assert [cell.alt for cell in (*one.cells, *other.cells)] == ["그림", "A picture"]
    assert "lacks the measured cell 1" in differences(one, other)[0]


@pytest.mark.parametrize(
    "info",
    [
        "python title=x",
        'python colour="red"',
        'python alt="a',
        'python tags=["mesured"]',
        "py",
        "python3",
        "{.python}",
        "Python",
        "",
        "text",
    ],
)
def test_what_a_cell_does_not_take_is_refused_with_its_place(info):
    with pytest.raises(Problem, match=r"docs/en/labs/it.md:7: `.*` doesn't start a cell"):
        parse(HEAD.format(f"```{info}\nx = 1\n```\n"), "docs/en/labs/it.md")


@pytest.mark.parametrize(
    "directive",
    ["{{ snippet labs/it }}", "{{ graph labs/it x }}", "{{ question labs/it x }}\n- 2\n{{ end }}"],
)
def test_a_lab_is_asked_for_values_only(tmp_path, directive):
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs/it.md").write_text(HEAD.format("```python\nx = 1\n```\n"))
    (tmp_path / "p.md").write_text(f"# P {{ #p }}\n\n{directive}\n")
    with pytest.raises(Problem, match=r"`labs/it` is a lab\. Show only its values here"):
        Content(tmp_path, tmp_path)


def test_a_fence_that_does_not_end_before_the_next_is_named():
    with pytest.raises(Problem, match=r"it\.md:7: the fence isn't closed before line 11"):
        parse(HEAD.format("```python\nx = 1\n\nText.\n```python\ny = 1\n```\n"), "docs/en/labs/it.md")


def test_commands_of_jupyter_are_refused():
    with pytest.raises(Problem, match=r"it\.md:8: `%timeit f\(\)` is for Jupyter, not Python"):
        parse(HEAD.format("```python\n%timeit f()\n```\n"), "docs/en/labs/it.md")


def test_a_name_that_is_no_lab_is_answered_with_one_that_is(tmp_path):
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs/toy.md").write_text(HEAD.format("```python\nx = 1\n```\n"))
    (tmp_path / "p.md").write_text("# P { #p }\n\nIt is {{ value labs/toyy x }}.\n")
    with pytest.raises(Problem, match=r"p\.md:3: there is no lab `labs/toyy`\. Did you mean `labs/toy`\?"):
        Content(tmp_path, tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("it.md", HEAD.format("```python\nx = 1\n```\n"), "it.md:7: a lab must be in the folder `labs`"),
        ("other/labs/it.md", HEAD.format("```python\nx = 1\n```\n"), "it.md:7: a lab must be in the folder `labs`"),
        ("labs/plain.md", "# P { #p }\n\n```python\nx = 1\n```\n", "plain.md:1: a lab needs a line `jupyter: "),
    ],
)
def test_a_page_that_would_share_a_labs_name_or_not_be_run_is_said(tmp_path, name, text, sentence):
    for path, written in (("labs/it.md", HEAD.format("```python\nx = 2\n```\n")), (name, text)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(written)
    with pytest.raises(Problem, match=sentence):
        Content(tmp_path, tmp_path)


def test_an_output_that_looks_like_a_picture_is_not_described():
    page = parse(HEAD.format('```python alt="A picture."\nprint(1)\n```\n'), "docs/en/labs/it.md")
    shown_html = '<pre><samp> alt=""</samp></pre><img src="it-0.png" alt="" width="1">'
    results = {"labs/it": LabOutcome(html=(shown_html,))}
    html = page.cells[0].html(show({}, results))
    assert '<samp> alt=""</samp>' in html and '<img src="snippets/labs/it-0.png" alt="A picture." width="1">' in html
