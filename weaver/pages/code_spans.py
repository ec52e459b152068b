"""Where Markdown's text is code or a comment, and so is left alone: spans that may go over several lines."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

# a fence: after indentation or a quotation's marks, three or more backticks or tildes
FENCE = re.compile(r"[ \t>]*(`{3,}(?!.*`)|~{3,})(.*)")
OPENING = re.compile(r"<!--|`+")
# what a span does not go across: an empty line, and what begins a block of its own
BLOCK_END = re.compile(r"\n(?=[ \t>]*(?:\n|[-*+][ \t]|\d+[.)][ \t]|#|\||$))")
HEADING_END = re.compile(r"^ {0,3}#[^\n]*\n", re.MULTILINE)

Columns = list[tuple[int, int]]  # from and to, of one line


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each code span and comment of a text without fences, in order.

    As in Python-Markdown, a span ends at as many backticks as it begins with, or else begins with as many
    of its backticks as the longest run after it has; a backslash keeps a backtick from beginning one.
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
        start += (start - len(text[:start].rstrip("\\"))) % 2  # behind an odd number of backslashes
        if start == at:
            continue
        block = bisect_right(ends, start)
        last = ends[block] if block < len(ends) else len(text)
        after = runs[bisect_right(runs, (at,)) : bisect_right(runs, (last,))]
        closing = next((run for run in after if run[1] == at - start), None)
        closing = closing or max(after, key=lambda run: run[1], default=None)
        if closing and closing[1] <= at - start:
            at = sum(closing)
            yield start, at
        else:
            at += at - start  # it skips as much text


def apart(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the pieces of a text without fences, each with whether it is a code span or comment."""
    end = 0
    for start, stop in spans(text):
        yield False, text[end:start]
        yield True, text[start:stop]
        end = stop
    yield False, text[end:]


def closes(mark: re.Match[str], line: str) -> bool:
    """Return whether a line ends the fence that begins with a mark."""
    end = FENCE.fullmatch(line.rstrip())
    return bool(end and end[1].startswith(mark[1]) and not end[2].strip())


def fences(lines: Iterable[str], is_indented: bool = True) -> list[re.Match[str] | None]:
    """Return for each line the mark that begins the fence that it's in, None outside of fences.

    With `is_indented` False, what is indented by four spaces or more begins none.
    """
    found, mark = [], None
    for line in lines:
        if mark is None:
            mark = FENCE.fullmatch(line.rstrip()) if is_indented or line[:4] != "    " else None
            found.append(mark)
        else:
            found.append(mark)
            mark = None if closes(mark, line) else mark
    return found


def by_line(lines: list[str]) -> list[Columns]:
    """Return for each line of a page the columns, from and to, in which its text is code or a comment.

    Lines of fences have none.
    """
    text = ["\n" if mark else line for line, mark in zip(lines, fences(lines), strict=True)]
    starts = list(accumulate(map(len, text), initial=0))
    columns: list[Columns] = [[] for _ in lines]
    for start, end in spans("".join(text)):
        number = bisect_right(starts, start) - 1
        while number < len(lines) and starts[number] < end:
            here = starts[number]
            columns[number].append((max(start - here, 0), min(end - here, len(text[number]))))
            number += 1
    return columns
