"""Where Markdown's text is code or a comment, and so is left alone: spans that may go over several lines."""

import re
from bisect import bisect_right
from collections.abc import Iterator

# a fence: behind indentation or a quotation's marks, three or more backticks or tildes
FENCE = re.compile(r"[ \t>]*(`{3,}(?!.*`)|~{3,})(.*)")
OPENING = re.compile(r"<!--|`+")
# what a span does not go across: an empty line, and what begins a block of its own
BLOCK_END = re.compile(r"\n(?=[ \t>]*(?:\n|[-*+][ \t]|\d+[.)][ \t]|#|\||$))")
HEADING_END = re.compile(r"^ {0,3}#[^\n]*\n", re.MULTILINE)


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each code span and comment of a text without fences, in order.

    As in Python-Markdown, a span ends at as many backticks as it begins with, or else begins with as many
    of its backticks as the longest run behind it has; a backslash keeps a backtick from beginning one.
    """
    ends = sorted(m.end() - 1 for end in (BLOCK_END, HEADING_END) for m in end.finditer(text))
    runs = [(run.start(), len(run[0])) for run in re.finditer("`+", text)]
    at = 0
    while opening := OPENING.search(text, at):
        start, at = opening.span()
        if opening[0] == "<!--":
            if (end := text.find("-->", at)) >= 0:
                at = end + 3
                yield start, at
            continue
        start += _is_escaped(text, start)
        if start == at:
            continue
        block = bisect_right(ends, start)
        last = ends[block] if block < len(ends) else len(text)
        behind = runs[bisect_right(runs, (at,)) : bisect_right(runs, (last,))]
        closing = next((run for run in behind if run[1] == at - start), None)
        closing = closing or max(behind, key=lambda run: run[1], default=None)
        if closing and closing[1] <= at - start:
            at = sum(closing)
            yield start, at
        else:
            at += at - start  # it passes over as much text


def _is_escaped(text, at):
    """Return whether an odd number of backslashes stands before a place."""
    before = at
    while before and text[before - 1] == "\\":
        before -= 1
    return (at - before) % 2


def apart(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the pieces of a text without fences, each with whether it is a code span or comment."""
    end = 0
    for start, stop in spans(text):
        yield False, text[end:start]
        yield True, text[start:stop]
        end = stop
    yield False, text[end:]


def by_line(lines: list[str]) -> list[list[tuple[int, int]]]:
    """Return for each line of a page the columns, from and to, in which its text is code or a comment.

    Lines of fences are given as they are, and have none.
    """
    text, fence = [], None
    for line in lines:
        mark = FENCE.fullmatch(line.rstrip())
        text.append("\n" if mark or fence else line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not mark[2].strip():
            fence = None
    starts = [0]
    for line in text:
        starts.append(starts[-1] + len(line))
    columns: list[list[tuple[int, int]]] = [[] for _ in lines]
    for start, end in spans("".join(text)):
        number = bisect_right(starts, start) - 1
        while number < len(lines) and starts[number] < end:
            here = starts[number]
            columns[number].append((max(start - here, 0), min(end - here, len(text[number]))))
            number += 1
    return columns
