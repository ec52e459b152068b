"""A Markdown extension: LaTeX between dollar signs -> MathML, which browsers draw without a script."""

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor

from weaver.problem import Problem

BLOCK = r"\$\$(.+?)\$\$"
INLINE = r"(?<![\\$A-Za-z0-9_])\$(?![\s$])([^$]+?)(?<!\s)\$(?![A-Za-z0-9_$])"
Locate = Callable[[str], tuple[str, str]]
NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
ROW_OF_ONE = re.compile(r"<mrow>(<(\w+)[^<>]*>[^<]*</\2>)</mrow>")  # which is the same without the row
ROW_OF_ALL = re.compile(r"^(<math[^<>]*>)<mrow>(.*)</mrow></math>$", re.DOTALL)  # as is this
CHILDREN = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "mover": 2, "munder": 2, "msubsup": 3}


class Formula(InlineProcessor):
    """Turns what `pattern` finds into MathML that stands in a line (`inline`) or alone (`block`).

    `locate` gives the place of a formula, and how the page has it.
    """

    def __init__(self, pattern: str, md: Markdown, display: str, locate: Locate) -> None:
        super().__init__(pattern, md)
        self.compiled_re = re.compile(pattern, re.DOTALL)
        self.display, self.locate = display, locate

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[str, int, int]:  # type: ignore[override]
        mathml = convert(m, m[1], self.display, self.locate)
        return self.md.htmlStash.store(mathml), m.start(0), m.end(0)


def convert(match: re.Match, latex: str, display: str, locate: Locate) -> str:
    """Return the MathML of what was found. Raises Problem, with its place, for LaTeX that is none."""
    from latex2mathml.converter import convert  # slow to load, and most pages have no formula

    latex = latex.strip()
    braces = re.sub(r"\\.", "", latex, flags=re.DOTALL)
    try:
        mathml = ROW_OF_ONE.sub(r"\1", ROW_OF_ALL.sub(r"\1\2</math>", convert(latex, display=display)))
        wrong = _wrong(latex, mathml)
    except Exception as error:
        wrong = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__.removesuffix("Error")).lower()
    if braces.count("{") != braces.count("}"):
        wrong = "its braces don't match"
    if wrong:
        place, written = locate(match[0])
        raise Problem(f"{place}: the formula `{written}` can't be read: {wrong}. Fix its LaTeX.")
    return mathml


def _wrong(latex: str, mathml: str) -> str | None:
    """Return what is wrong with LaTeX that latex2mathml took, None if nothing is."""
    try:
        root = ElementTree.fromstring(mathml)
    except ElementTree.ParseError:
        return r"it has `&` outside of `matrix`, `cases` or `align`, or `&` or `<` in text"
    if "\\begin" in latex and root.find(f".//{NAMESPACE}mtable") is None:
        return "its environment isn't supported: use `matrix`, `cases` or `align`"
    for element in root.iter():
        tag, text = element.tag.removeprefix(NAMESPACE), element.text or ""
        if not tag.startswith("m"):
            return f"it contains `<{tag}>`"
        if tag == "mi" and text in ("{", "}"):
            return "its braces don't match"
        if (command := re.search(r"\\[A-Za-z]*", text)) and "\\backslash" not in latex:
            return f"`{command[0]}` isn't a supported command"
        if len(element) < CHILDREN.get(tag, 0):
            return "a command is missing an argument"
    return None if "".join(root.itertext()).strip() else "it shows nothing"


class Rows(Preprocessor):
    """Refuses a formula with `|` in a row of a table, which ends there."""

    def __init__(self, md: Markdown, locate: Locate) -> None:
        super().__init__(md)
        self.locate = locate

    def run(self, lines: list[str]) -> list[str]:
        for line in lines:
            row = re.sub(r"(`+).*?\1", "", line) if line.lstrip().startswith("|") else ""
            for formula in re.finditer(INLINE, row):
                if re.search(r"(?<!\\)\|", formula[0]):
                    place, written = self.locate(formula[0])
                    raise Problem(f"{place}: `|` in `{written}` ends the table's cell. Write `\\vert`.")
        return lines


class FormulaExtension(Extension):
    """`$x^2$` in a line, `$$x^2$$` alone."""

    def __init__(self, **settings: Any) -> None:
        self.config = {"locate": [lambda text: ("a formula", text), "a function: text -> place, as written"]}
        super().__init__(**settings)

    def extendMarkdown(self, md: Markdown) -> None:
        # after code (190), before backslash escapes (180), which would eat LaTeX's
        locate = self.getConfig("locate")
        md.preprocessors.register(Rows(md, locate), "formula-rows", 10)  # after fences (25) and HTML (20)
        md.inlinePatterns.register(Formula(BLOCK, md, "block", locate), "formula-block", 186)
        md.inlinePatterns.register(Formula(INLINE, md, "inline", locate), "formula", 185)


makeExtension = FormulaExtension  # Markdown looks for this name
