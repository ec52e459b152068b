"""What the reader sees of a directive: literally what the run gave."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from support.html import NASTY, Text
from support.project import WORDS, answer, ask, result, show

from weaver.directives import KINDS
from weaver.escape import visible
from weaver.execution.labs.model import LabOutcome
from weaver.execution.snippets.result import Line
from weaver.execution.snippets.source import Snippet, read
from weaver.pages.parser import parse
from weaver.problem import Problem
from weaver.site.notebook import notebook


def answered(text, seen):
    """Return a result with the answer to what the first directive of `text` asks."""
    [(_, query)] = parse(text, "x.md").directives[0].queries
    return result("1", answers={f"{query.kind}:{query.argument}": seen})


def render(form, text, found, language="en", source="print(1)\n"):
    """Return the first directive of `text` in the form `html` or `markdown`."""
    first, *_ = parse(text, "docs/en/x.md").directives
    shown = show({"t/x": Snippet("t/x", Path("x.py"), source)}, {"t/x": found}, language)
    return getattr(first, form)(shown)


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_output_is_shown_literally_in_html(text):
    html = Text("samp", render("html", "{{ snippet t/x }}", result(text, "next")))
    assert html.text == f"{visible(text)}\nnext\n"
    assert "script" not in html.tags


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_output_is_shown_literally_in_markdown(text):
    tokens = MarkdownIt().parse(render("markdown", "{{ snippet t/x }}", result(text, "next")))
    assert [t.content for t in tokens if t.type == "fence"] == ["print(1)\n", f"{visible(text)}\nnext\n"]


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_a_value_is_shown_literally_in_both(text):
    found = result(answers={"text:y": text})
    assert Text("code", render("html", "{{ value t/x y }}", found)).text == visible(text)
    [inline] = [
        t for t in MarkdownIt().parse(render("markdown", "{{ value t/x y }}", found)) if t.type == "inline"
    ]
    assert [child.content for child in inline.children if child.type == "code_inline"] == [visible(text)]


EMPTY = {
    "{{ bars t/x s }}": "docs/en/x.md:1: `s` is empty. Give it an entry for each bar.",
    "{{ table t/x s | t }}": "docs/en/x.md:1: `s` is empty. Give it an entry for each row.",
}


@pytest.mark.parametrize("form", ["html", "markdown"])
@pytest.mark.parametrize("text", EMPTY)
def test_what_would_show_nothing_is_refused(form, text):
    with pytest.raises(Problem, match=re.escape(EMPTY[text])):
        render(form, text, answered(text, "[]"))


def test_a_table_of_what_is_no_dictionary_is_refused():
    text = "{{ table t/x 3 | t }}"
    error = AttributeError("AttributeError: 'int' object has no attribute 'items'")
    with pytest.raises(Problem, match=r"x\.md:1: `3` isn't a dictionary. Name one: its keys are the rows\."):
        render("html", text, answered(text, error))


def test_a_glossary_that_is_not_there_is_refused():
    with pytest.raises(
        Problem, match=r"x\.md:1: there are no terms. Write `glossary: glossary\.yml` in mkdocs\.yml"
    ):
        render("markdown", "{{ terms }}", result())


def test_what_a_build_knows_of_itself_is_put_in_as_it_is_and_asks_no_program():
    [first] = parse("{{ built programs }} programs", "x.md").directives
    assert first.markdown(replace(show({}, {}), built={"programs": "1,234"})) == "1,234"
    assert first.asks == []


def test_a_list_of_no_questions_is_refused():
    with pytest.raises(Problem, match=r"x\.md:1: there are no questions"):
        render("html", "{{ questions }}", result())


def test_a_stage_that_the_navigation_does_not_have_is_refused():
    with pytest.raises(Problem, match=r"x\.md:1: `nav` in mkdocs\.yml has no section `cut`"):
        render("markdown", "{{ stage cut }}", result())


@pytest.mark.parametrize("size", ["0.9", "-250", "true", "null", '"a"'])
def test_a_bar_has_the_length_of_a_whole_number(size):
    with pytest.raises(Problem, match="Give each bar a whole number, 0 or more"):
        render("html", "{{ bars t/x s }}", answered("{{ bars t/x s }}", f'[["a", 3], ["b", {size}]]'))


def test_what_a_browser_would_hide_is_made_visible():
    assert visible("\ufeff\u3164\u2800\ud800\U000e0041") == "\\ufeff\\u3164\\u2800\\ud800\\ue0041"
    assert visible("\x00\x1b\x7f\u202e\u200b\u2028\x85") == "\u2400\u241b\u2421\\u202e\\u200b\\u2028\\u0085"
    assert visible("tab\t한글 → ∂") == "tab\t한글 → ∂"


def test_code_and_output_point_at_each_other_by_the_line_of_the_file():
    found = result(Line("1", 3, "out"), Line("E: e", 4, "raised"))
    snippet = Snippet("t/x", Path("x.py"), "# raises: E\nx = 1\nprint(x)\nraise E\n", "E")
    [directive] = parse("{{ snippet t/x }}", "x.md").directives
    text = directive.html(show({"t/x": snippet}, {"t/x": found}))
    assert 'data-first="2">x = ' in text  # `weaver.js` counts the lines from there
    assert '<samp data-from="3 4">1\n<span data-by="4" class="raised">E: e\n' in text
    assert "# raises" not in text
    assert "torch 2.13.0" in text


def test_the_code_in_html_is_the_program_to_the_character():
    source = 'import torch\n\nx = "<&>"\nif x:\n\tprint(f"{x = }")\n'
    assert Text("code", render("html", "{{ snippet t/x }}", result("1"), source=source)).text == source


def test_the_numbers_of_code_lines_count_empty_lines_at_the_beginning():
    html = render("html", "{{ snippet t/x }}", result("1"), source="\n\nprint(1)\n")
    assert Text("code", html).text == "\n\nprint(1)\n"
    assert "data-first" not in html


def test_a_question_about_a_snippet_that_prints_nothing_is_refused():
    with pytest.raises(Problem, match="there is no right answer"):
        render("html", "{{ question t/x }}\n- 6.0\n{{ end }}", result())


def test_a_table_shows_a_row_per_object_and_a_column_per_expression():
    text = "{{ table t/x rows | t.a | t.b!r }}"
    found = answered(text, '[["x * 2", "1", "<b>"], ["y", "3", "a|b"]]')
    html = render("html", text, found)
    assert Text("code", html).text == "t.at.b" and Text("tbody", html).text == "x * 2 1 <b> y 3 a|b"
    assert html.count("<tr>") == 3 and "!r" not in html


def test_a_table_names_its_rows_and_columns_in_words():
    text = "{{ table t/x rows as operation | t[0] as value & more | t[1]:.1f as slope | t.b }}"
    assert "t[1]:.1f}" in parse(text, "x.md").directives[0].queries[0][1].argument
    found = answered(text, '[["sqrt", "0.0", "inf", "b"]]')
    html = render("html", text, found)
    assert Text("thead", html).text == "operation value & more slope t.b"
    assert Text("code", html).text == "t.b" and Text("tbody", html).text == "sqrt 0.0 inf b"
    assert render("markdown", text, found).startswith("| operation | value & more | slope | `t.b` |\n")


def test_a_question_mixes_the_right_answer_of_the_run_into_the_wrong_ones():
    found = result("3", answers={"text:y": "3.0"})
    html = render("html", "{{ question t/x y }}\n- 6.0\n- 9.0\n\nwhy\n{{ end }}", found)
    assert html.count("radio") == 3 and html.count('data-right="true"') == 1
    assert unescape(html.split('data-right="true"')[1]).startswith("> 3.0</label>")


def test_a_question_whose_wrong_choice_is_right_is_refused():
    found = result("3", answers={"text:y": "6.0"})
    with pytest.raises(Problem, match=r"docs/en/x\.md:1: `6\.0` is listed as a wrong choice"):
        render("html", "{{ question t/x y }}\n- 6.0\n{{ end }}", found)


def test_a_value_of_an_unknown_variable_is_refused_with_the_nearest_name():
    found = result(
        answers={"text:losss": NameError("NameError: name 'losss' is not defined")}, names=("loss", "x")
    )
    with pytest.raises(
        Problem, match=r"docs/en/x\.md:1: `losss` can't be evaluated .* Did you mean `loss`\?"
    ):
        render("html", "{{ value t/x losss }}", found)


@pytest.mark.parametrize("kind", ["html", "markdown"])
def test_an_error_or_the_first_warning_is_quoted_on_one_line(kind):
    raised = result("RuntimeError: a <b>", error="RuntimeError: a\n <b>")
    warned = result(Line("x.py:3: UserWarning: Careful.", 3, "err"), Line("  x.warn()", 3, "err"))
    assert (
        unescape(Text("code", render(kind, "{{ error t/x }}", raised)).text or "RuntimeError: a <b>")
        == "RuntimeError: a <b>"
    )
    assert "UserWarning: Careful." in render(kind, "{{ error t/x }}", warned)
    assert "x.py" not in render(kind, "{{ error t/x }}", warned)
    with pytest.raises(Problem, match=r"docs/en/x\.md:1: snippet `t/x` raises no error and gives no warning"):
        render(kind, "{{ error t/x }}", result("1"))


def test_the_words_that_tell_a_message_from_others_are_bold_and_the_rest_may_be_left_out():
    raised = result(error="RuntimeError: a <b> of c is d")
    whole = render("html", "{{ error t/x | <b> | is d }}", raised)
    assert "RuntimeError: a <strong>&lt;b&gt;</strong> of c <strong>is d</strong></code>" in whole
    assert render("markdown", "{{ error t/x | of c }}", raised) == "`RuntimeError: a <b>` **`of c`** `is d`"
    short = render("html", "{{ error t/x | …a | of }}", raised)
    assert ">… <strong>a</strong> … <strong>of</strong> …<" in short
    assert render("markdown", "{{ error t/x | …is d }}", raised) == "… **`is d`**"


def test_words_that_a_message_does_not_have_are_refused():
    with pytest.raises(Problem, match=r"x\.md:1: `e` isn't in the message, .* Copy it from: ValueError: a b"):
        render("html", "{{ error t/x | b | e }}", result(error="ValueError: a b"))


def test_a_message_can_be_what_an_expression_gives():
    found = result(answers={"text:m[0]": "ValueError:\n a"})
    assert render("html", "{{ error t/x m[0] | : a }}", found).endswith("ValueError<strong>: a</strong></code>")


@pytest.mark.parametrize(
    ("seen", "word"), [("[true, true]", "true"), ("[true, false]", "only sometimes"), ("[false]", "false")]
)
def test_a_verdict_is_said_in_the_pages_language(seen, word):
    found = answered("{{ verdict t/x holds }}", seen)
    assert f">{word}</strong>" in render("html", "{{ verdict t/x holds }}", found)
    assert render("markdown", "{{ verdict t/x holds }}", found, "ko") != render(
        "markdown", "{{ verdict t/x holds }}", found
    )


@pytest.mark.parametrize("holds", ["[]", "[1]", '["true"]'])
def test_a_verdict_is_a_bool_or_several(holds):
    with pytest.raises(Problem, match=r"docs/en/x\.md:1: `holds` gives .*A verdict needs a bool, or a list"):
        render("html", "{{ verdict t/x holds }}", answered("{{ verdict t/x holds }}", holds))


def test_what_a_measured_cell_printed_stands_on_its_page_alone_and_is_not_searched():
    page = parse("---\njupyter: {}\n---\n\n```python tags=[\"measured\"]\nx\n```\n", "docs/en/labs/it.md")
    stream = {"output_type": "stream", "name": "stdout", "text": "12.5 ms"}
    outcome = LabOutcome(outputs=([stream],), html=("<pre><samp>12.5 ms</samp></pre>",))
    [cell], shown = page.cells, show({}, {"labs/it": outcome})
    assert '<div class="output" data-search-exclude>' in cell.html(shown) and "12.5" in cell.html(shown)
    assert "12.5" not in cell.markdown(shown) and "(differs on every run)" in cell.markdown(shown)
    assert "12.5" not in notebook(page, shown, "https://s/en/", "labs/it/")


@pytest.mark.parametrize(
    ("language", "number", "title"),
    [
        ("ko", 1, "첫 번째 역전파"),
        ("ko", 2, "두 번째 역전파"),
        ("ko", 12, "12번째 역전파"),
        ("en", 1, "backward pass 1"),
    ],
)
def test_a_picture_names_its_backward_pass_as_one_says_it(language, number, title):
    text = f"{{{{ graph t/x z, backward={number} }}}}"
    program = Snippet("t/x", Path("x.py"), "import torch\n\nz = torch.ones(1)\n")
    graph = answer(ask(program, "graph:z"), "graph:z")[0]
    assert title in render("markdown", text, answered(text, graph), language)


def test_what_the_engine_says_asks_as_one_asks_today_and_keeps_to_the_terms():
    words = WORDS["ko"]
    assert words["predict"] == "셀을 실행하기 전에 다음 셀에 예측을 적어 보세요."
    assert words["wrong"].startswith("틀렸습니다.")
    assert "지금은" not in words["graph_freed"] and "해제" in words["graph_freed"]
    for shared in ("graph_shares", "memory_shared", "memory_alone"):
        assert "공유하" in words[shared]
    assert WORDS["en"].keys() == words.keys()


def test_a_verdict_of_what_is_no_bool_says_what_it_is(tmp_path):
    (tmp_path / "x.py").write_text("import torch\nx = torch.ones(2) > 0\n")
    text = "{{ verdict t/x x }}"
    [(_, asked)] = parse(text, "x.md").directives[0].queries
    found = ask(read(tmp_path / "x.py", "t/x"), f"data:{asked.argument}")
    with pytest.raises(Problem, match=r"`x` gives a Tensor\. A verdict needs a bool, or a list of bools, one per case"):
        render("html", text, found)


def test_a_choice_with_a_backtick_stays_one_code_span_in_a_notebook():
    text = "{{ question t/x y }}\n- 1\n\n{{ end }}\n"
    page, found = parse(text, "docs/en/x.md"), result("1", answers={"text:y": "a `b` c"})
    shown = show({"t/x": Snippet("t/x", Path("x.py"), "print(1)\n")}, {"t/x": found})
    assert "- `` a `b` c ``" in "".join(json.loads(notebook(page, shown, "https://s/en/", "x/"))["cells"][0]["source"])


ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_directive_is_shown_in_a_test_and_described_to_authors_in_both_languages(kind):
    tests = [path for path in (ROOT / "tests").rglob("test_*.py") if path.parent.name != "pages"]
    assert any(re.search(rf"\{{\{{ {kind}\b", path.read_text()) for path in tests)
    guides = [path for folder in (ROOT, ROOT / "weaver") for path in folder.glob("*.md")]
    rows = {path.name: re.findall(rf"^\|.*\{{\{{ {kind} .*\|", path.read_text(), re.M) for path in guides}
    for korean in (True, False):
        assert any(found for name, found in rows.items() if name.endswith(".ko.md") == korean)


def test_tensors_in_one_storage_are_shown_as_such_in_html_and_in_markdown(tmp_path):
    (tmp_path / "x.py").write_text("import torch\nx = torch.ones(3)\ny = x[1:]\nz = x.clone()\n")
    text = "{{ memory t/x x, y, z }}"
    found = ask(read(tmp_path / "x.py", "t/x"), "memory:x, y, z")
    assert render("markdown", text, found) == (
        "\n- Shared storage: `x` [1, 1, 1] (_version 0); `y` [1, 1] (_version 0).\n"
        "- Separate storage: `z` [1, 1, 1] (_version 0).\n"
    )
    assert render("html", text, found).count("<li>") == 2
