"""Formulas: what becomes MathML, and what stops with a sentence instead of being shown broken."""

import markdown
import pytest

from weaver.mkdocs.placeholders import Placeholders
from weaver.pages.parser import parse
from weaver.problem import Problem

REFUSED = {
    r"$\nosuchmacro{x}$": r"`\nosuchmacro` isn't a supported command",
    r"$\frac{a$": "its braces don't match",
    "$}$": "its braces don't match",
    "$a & b$": "it has `&` outside of `matrix`, `cases` or `align`",
    r"$\frac{a}$": "a command is missing an argument",
    r"$x_{$": "its braces don't match",
    r"$a_b_c$": "double subscripts",
    r"$\begin{nosuch} a \end{nosuch}$": "its environment isn't supported",
    r"$\text{<script>}$": "or `&` or `<` in text",
    r"$\label{a}$": r"`\label` isn't a supported command",
    r"$\newcommand{\a}{b}$": "it shows nothing",
    r"$$\left( x$$": "extra left or missing right",
}


def published(text):
    marks = Placeholders(parse(text, "docs/en/p.md"))
    return markdown.markdown(
        marks.set(None),
        extensions=["weaver.mkdocs.formula"],
        extension_configs={"weaver.mkdocs.formula": {"locate": marks.locate}},
    )


@pytest.mark.parametrize("text", REFUSED)
def test_a_broken_formula_stops_with_its_page_line_and_reason(text):
    with pytest.raises(Problem) as problem:
        published(f"---\ntitle: a\n---\n# P\n\n{text}\n")
    assert str(problem.value).startswith(f"docs/en/p.md:6: the formula `{text}` can't be read: ")
    assert REFUSED[text] in str(problem.value)


def test_a_broken_formula_is_shown_with_the_values_that_its_writer_asked_for():
    with pytest.raises(Problem, match=r"^docs/en/p\.md:3: the formula `\$\\no\{ \{\{ value t/x y \}\} \}\$`"):
        published("# P\n\n$\\no{ {{ value t/x y }} }$\n")


@pytest.mark.parametrize(
    "latex",
    [
        r"\{x\}",
        r"\begin{cases} a & b \\ c & d \end{cases}",
        r"\left\{ a \right.",
        r"\frac{\partial z}{\partial w}",
        r"\sum_{i=1}^n x_i",
        r"x^{q-1}\,\ln(x)",
        r"a < b",
        r"\backslash",
        "x'",
    ],
)
def test_a_formula_that_can_be_read_is_shown(latex):
    assert "<math" in published(f"${latex}$")
