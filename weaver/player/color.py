"""A program's text -> its lines as HTML, with strings, comments and keywords in color."""

import io
import keyword
import tokenize
from collections.abc import Iterable
from html import escape

KINDS = {tokenize.STRING: "string", tokenize.COMMENT: "comment"}
Mark = tuple[int, int, str]  # the columns where it starts and ends, its kind


def lines(source: str) -> list[str]:
    """Return the lines of a program as HTML; without colors if it isn't Python."""
    text = source.splitlines() or [""]
    marks: dict[int, list[Mark]] = {}  # by line
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            kind = "keyword" if keyword.iskeyword(token.string) else KINDS.get(token.type)
            if kind:
                _mark(marks, text, token, kind)
    except (tokenize.TokenError, SyntaxError):
        marks = {}
    return [_line(line, marks.get(number, ())) for number, line in enumerate(text, 1)]


def _mark(marks: dict[int, list[Mark]], text: list[str], token: tokenize.TokenInfo, kind: str) -> None:
    (first, start), (last, end) = token.start, token.end
    for number in range(first, last + 1):
        left, right = start if number == first else 0, end if number == last else len(text[number - 1])
        if left < right:
            marks.setdefault(number, []).append((left, right, kind))


def _line(line: str, marks: Iterable[Mark]) -> str:
    html: list[str] = []
    at = 0
    for start, end, kind in marks:
        html += [escape(line[at:start]), f'<span class="wt-{kind}">{escape(line[start:end])}</span>']
        at = end
    return "".join([*html, escape(line[at:])])
