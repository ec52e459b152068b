"""A program's text -> its lines as HTML, with its strings, comments and keywords told apart."""

import io
import keyword
import tokenize
from html import escape

KINDS = {tokenize.STRING: "string", tokenize.COMMENT: "comment"}


def lines(source: str) -> list[str]:
    """Return the lines of a program as HTML; of one that is no Python, without colours."""
    text = source.splitlines() or [""]
    marks = {}  # line -> [(start, end, kind)], by columns
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            kind = "keyword" if keyword.iskeyword(token.string) else KINDS.get(token.type)
            if kind:
                _mark(marks, text, token, kind)
    except (tokenize.TokenError, SyntaxError):
        marks = {}
    return [_line(line, marks.get(number, ())) for number, line in enumerate(text, 1)]


def _mark(marks, text, token, kind):
    (first, start), (last, end) = token.start, token.end
    for number in range(first, last + 1):
        left, right = start if number == first else 0, end if number == last else len(text[number - 1])
        if left < right:
            marks.setdefault(number, []).append((left, right, kind))


def _line(line, marks):
    html, at = [], 0
    for start, end, kind in marks:
        html += [escape(line[at:start]), f'<span class="wt-{kind}">{escape(line[start:end])}</span>']
        at = end
    return "".join([*html, escape(line[at:])])
