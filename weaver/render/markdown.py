"""The pieces of plain Markdown that directives are shown with, for machines, notebooks and tests."""

import re
from collections.abc import Iterable, Sequence
from html import unescape

from weaver.escape import visible


def fenced(language: str, text: str) -> str:
    """Return `text` in a fence that no run of backticks in it can close."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text.rstrip(chr(10))}\n{fence}\n"


def span(text: str) -> str:
    """Return text of a run as a code span, whatever backticks and ends of lines it holds."""
    text = re.sub(r"\s*\n\s*", " ", visible(text))
    ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    pad = " " if "`" in text else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def printed(head: str, output: str) -> str:
    """Return an output in a fence below a line that says what it is; nothing if it is empty."""
    return output and f"\n{head}:\n\n" + fenced("text", visible(output))


def plain(sentence: str) -> str:
    """Return a sentence of HTML, in which only code is marked, as Markdown."""
    return re.sub(r"<code>(.*?)</code>", lambda code: span(unescape(code[1])), sentence)


def row(cells: Iterable[str]) -> str:
    """Return a row of a table; its cells are Markdown."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of Markdown cells."""
    return row(head) + row(["---"] * len(head)) + "".join(map(row, rows))
