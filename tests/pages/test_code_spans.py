"""Which text is code or a comment: as Markdown itself sees it."""

import random
import time

import markdown
import pytest

from weaver.pages.code_spans import apart, by_line
from weaver.pages.parser import parse

VALUE = "{{ value a/b x }}"
LEFT_ALONE = [
    f"`{VALUE}`",
    f"`` ` {VALUE} ``",
    f"a `code\n{VALUE}\nends` here",
    f"<!-- {VALUE} -->",
    f"<!--\n{VALUE}\n\n{VALUE}\n-->",
    f"```\n`\n```\n\n`{VALUE}`",
    f"\\\\`{VALUE}`",
    f"~~~\n{VALUE}\n~~~",
]
READ = [
    f"\\`{VALUE}\\`",
    f"a ` b\n\n{VALUE} ` c",
    f"`a` {VALUE} `b`",
    f"`` ` {VALUE} `",
    f"- a ` b\n- {VALUE} ` c",
    f"# a ` b\n{VALUE} ` c",
    f"<!-- a --> {VALUE} <!-- b -->",
    f"<!-- {VALUE}",
    f"```\n`\n```\n\n{VALUE}`",
]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_code_and_comments_over_any_number_of_lines_are_left_alone(text):
    page = parse(text, "x.md")
    assert page.directives == [] and page.weave(str) == text


@pytest.mark.parametrize("text", READ)
def test_a_backtick_that_begins_no_code_hides_nothing(text):
    assert len(parse(text, "x.md").directives) == 1


def test_random_runs_of_backticks_are_what_markdown_takes_them_for():
    generator = random.Random(0)
    for _ in range(2000):
        text = "x" + "".join(generator.choice(["`", "``", "a", "b", " c "]) for _ in range(12)) + "y"
        html = markdown.markdown(text)
        spans = sum(is_code for is_code, _ in apart(text))
        assert spans == html.count("<code>"), (text, html)


def test_a_long_line_of_backticks_is_read_at_once():
    began = time.process_time()
    list(apart("".join("`" * (1 + n % 7) + "a" for n in range(20_000))))
    assert time.process_time() - began < 10


def test_the_columns_are_those_of_each_line():
    assert by_line(["a `b\n", "c` d\n"]) == [[(2, 5)], [(0, 2)]]
