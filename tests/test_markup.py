"""What the reader sees of a directive: literally what the run gave."""

from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from weaver.markup import Html, Markdown, visible
from weaver.page import parse
from weaver.problem import Problem
from weaver.result import Line, Result
from weaver.snippet import Snippet
from weaver.words import WORDS

NASTY = {
    "script": "<script>alert(1)</script>",
    "markdown": "**bold** _x_ [a](b) # head",
    "entities": "&lt; &amp;amp; &#60;",
    "fence": "```",
    "long fence": "``````` python",
    "ansi": "\x1b[31mred\x1b[0m",
    "nul": "a\x00b",
    "right to left": "a\u202eb\u200f",
    "template": "{{ config }} {% raw %}",
    "our own marks": "\ue000 \ue001",
    "end of the element": "</samp></pre></div></figure>",
    "carriage return": "a\rb",
}


def result(*texts, **rest):
    return Result(tuple(Line(text, 1, "out") for text in texts), rest.pop("values", {}), **rest)


def render(kind, text, found, language="en", source="print(1)\n"):
    [first, *_] = [d for d in parse(text, "docs/en/x.md").directives]
    return kind({"t/x": Snippet("t/x", Path("x.py"), source)}, {"t/x": found}, language, "2.13.0")(first)


class Text(HTMLParser):
    """The text inside the elements of one tag."""

    def __init__(self, tag, html):
        super().__init__()
        self.tag, self.depth, self.text, self.tags = tag, 0, "", []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.depth += tag == self.tag

    def handle_endtag(self, tag):
        self.depth -= tag == self.tag

    def handle_data(self, data):
        self.text += data if self.depth else ""


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_output_is_shown_literally_in_html(text):
    html = Text("samp", render(Html, "{{ snippet t/x }}", result(text, "next")))
    assert html.text == f"{visible(text)}\nnext\n"
    assert "script" not in html.tags


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_output_is_shown_literally_in_markdown(text):
    tokens = MarkdownIt().parse(render(Markdown, "{{ snippet t/x }}", result(text, "next")))
    assert [t.content for t in tokens if t.type == "fence"] == ["print(1)\n", f"{visible(text)}\nnext\n"]


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_a_value_is_shown_literally_in_both(text):
    found = result(values={"value:y": (text, None)})
    assert Text("code", render(Html, "{{ value t/x y }}", found)).text == visible(text)
    [inline] = [
        t for t in MarkdownIt().parse(render(Markdown, "{{ value t/x y }}", found)) if t.type == "inline"
    ]
    assert [child.content for child in inline.children if child.type == "code_inline"] == [visible(text)]


def test_what_a_browser_would_hide_is_made_visible():
    assert visible("\x00\x1b\x7f\u202e\u200b\u2028\x85") == "\u2400\u241b\u2421\\u202e\\u200b\\u2028\\u0085"
    assert visible("tab\t한글 → ∂") == "tab\t한글 → ∂"


def test_code_and_output_point_at_each_other_by_the_line_of_the_file():
    found = Result((Line("1", 3, "out"), Line("E: e", 4, "raised")), {})
    snippet = Snippet("t/x", Path("x.py"), "# raises: E\nx = 1\nprint(x)\nraise E\n", "E")
    html = Html({"t/x": snippet}, {"t/x": found}, "en", "2.13.0")
    text = html(parse("{{ snippet t/x }}", "x.md").directives[0])
    assert 'data-line="2"' in text and 'data-line="4"' in text and 'data-line="1"' not in text
    assert '<span data-from="3">1\n' in text and '<span data-from="4" class="raised">E: e\n' in text
    assert "# raises" not in text
    assert "torch 2.13.0" in text


def test_the_code_in_html_is_the_program_to_the_character():
    source = 'import torch\n\nx = "<&>"\nif x:\n\tprint(f"{x = }")\n'
    assert Text("code", render(Html, "{{ snippet t/x }}", result("1"), source=source)).text == source


def test_the_numbers_of_code_lines_count_empty_lines_at_the_beginning():
    html = render(Html, "{{ snippet t/x }}", result("1"), source="\n\nprint(1)\n")
    assert Text("code", html).text == "\n\nprint(1)\n"
    assert '<span data-line="3">' in html.replace('data-line="3"><span', 'data-line="3"> <span')


def test_a_question_about_a_snippet_that_prints_nothing_is_refused():
    with pytest.raises(Problem, match="there is no right answer"):
        render(Html, "{{ question t/x }}\n- 6.0\n{{ end }}", result())


def test_a_table_shows_a_row_per_object_and_a_column_per_expression():
    found = result(values={"table:rows | t.a | t.b!r": ('[["x * 2", "1", "<b>"], ["y", "3", "a|b"]]', None)})
    html = render(Html, "{{ table t/x rows | t.a | t.b!r }}", found)
    assert Text("code", html).text == "t.at.bx * 21<b>y3a|b"
    assert html.count("<tr>") == 3 and "!r" not in html


def test_a_question_mixes_the_right_answer_of_the_run_into_the_wrong_ones():
    found = result("3", values={"value:y": ("3.0", None)})
    html = render(Html, "{{ question t/x y }}\n- 6.0\n- 9.0\n\nwhy\n{{ end }}", found)
    assert html.count("radio") == 3 and html.count('data-right="true"') == 1
    assert unescape(html.split('data-right="true"')[1]).startswith("> <code>3.0</code>")


def test_a_question_whose_wrong_choice_is_right_is_refused():
    found = result("3", values={"value:y": ("6.0", None)})
    with pytest.raises(Problem, match=r"docs/en/x\.md:1: `6\.0` is listed as a wrong choice"):
        render(Html, "{{ question t/x y }}\n- 6.0\n{{ end }}", found)


def test_a_value_of_an_unknown_variable_is_refused_with_the_nearest_name():
    found = result(
        values={"value:losss": (None, "NameError: name 'losss' is not defined")}, names=("loss", "x")
    )
    with pytest.raises(
        Problem, match=r"docs/en/x\.md:1: `losss` cannot be evaluated .* Did you mean `loss`\?"
    ):
        render(Html, "{{ value t/x losss }}", found)


@pytest.mark.parametrize("kind", [Html, Markdown])
def test_an_error_or_the_first_warning_is_quoted_on_one_line(kind):
    raised = result("RuntimeError: a <b>", error="RuntimeError: a\n <b>")
    warned = Result((Line("x.py:3: UserWarning: Careful.", 3, "err"), Line("  x.warn()", 3, "err")), {})
    assert (
        unescape(Text("code", render(kind, "{{ error t/x }}", raised)).text or "RuntimeError: a <b>")
        == "RuntimeError: a <b>"
    )
    assert "UserWarning: Careful." in render(kind, "{{ error t/x }}", warned)
    assert "x.py" not in render(kind, "{{ error t/x }}", warned)
    with pytest.raises(Problem, match=r"docs/en/x\.md:1: snippet `t/x` raises no error and gives no warning"):
        render(kind, "{{ error t/x }}", result("1"))


@pytest.mark.parametrize(
    ("seen", "word"), [("true", "true"), ("partly", "only sometimes"), ("false", "false")]
)
def test_a_verdict_is_said_in_the_pages_language(seen, word):
    found = result("1", values={"verdict:holds": (seen, None)})
    assert f">{word}</strong>" in render(Html, "{{ verdict t/x holds }}", found)
    assert render(Markdown, "{{ verdict t/x holds }}", found, "ko") != render(
        Markdown, "{{ verdict t/x holds }}", found
    )


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
    [asked] = parse(f"{{{{ graph t/x z, backward={number} }}}}\n", "docs/en/x.md").directives
    assert Html({}, {}, language, "2.13.0").titles(asked) == [("t/x", "z", title)]


def test_what_the_engine_says_asks_as_one_asks_today_and_keeps_to_the_terms():
    words = WORDS["ko"]
    assert words["predict"] == "셀을 실행하기 전에 다음 셀에 예측을 적어 보세요."
    assert words["wrong"].startswith("틀렸습니다.")
    assert "지금은" not in words["graph_freed"] and "해제" in words["graph_freed"]
    for shared in ("graph_shares", "memory_shared", "memory_alone"):
        assert "공유하" in words[shared]
    assert WORDS["en"].keys() == words.keys()
