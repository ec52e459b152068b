"""The pieces of HTML that directives are shown with: programs, outputs, figures."""

from collections.abc import Container, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from html import escape

from weaver.escape import visible
from weaver.execution.snippets.result import Line


def code(source: str, first_line: int = 1) -> str:
    """Return code, its lines counted from `first_line`, as HTML; `weaver.js` gives it its colors."""
    return framed(code_lines(source, first_line), first_line)


def code_lines(source: str, first_line: int = 1, marks: Mapping[int, str] = {}) -> str:
    """Return the lines of `code` without their frame; `marks` are attributes for lines, counted from 1.

    Only a marked line is an element. `weaver.js` makes one of each other line when a reader points at the
    program.
    """
    lines = escape(source.rstrip(), quote=False).split("\n")
    return "".join(
        f'<span data-line="{first_line + index}"{marks[index + 1]}>{line}\n</span>'
        if index + 1 in marks
        else f"{line}\n"
        for index, line in enumerate(lines)
    )


def framed(lines: str, first_line: int = 1) -> str:
    """Return the frame around lines of code, which are counted from `first_line`."""
    first = f' data-first="{first_line}"' * (first_line != 1)
    inside = f'<code class="nohighlight"{first}>{lines}</code>'  # highlighted: scripts need not
    return f'<pre class="highlight" data-search-exclude>{inside}</pre>'


def figure(inside: str, id: str = "") -> str:
    """Return the frame around a program and its output; an address may end in its `id`, that of its title.

    It's on no element around the program: Material makes a selector of it for its copy button, which a
    slash breaks.
    """
    own = f'<figcaption id="{id}"' if id else "<figcaption"
    lines = inside.count("\n")  # a browser that doesn't lay it out yet leaves room for them
    inside = inside.replace("<figcaption", own, 1)
    return f'<figure class="snippet" style="--lines:{lines}">{inside}</figure>'


def title(address: str, name: str, more: str = "") -> str:
    """Return a program's title, a link to its file; `more` is HTML after the name."""
    link = f'<a href="{address}" download>{name}</a>{more}'
    return f"<figcaption data-search-exclude>{link}</figcaption>"


def stepper(address: str, name: str, place: str, text: str, start: int = 1) -> str:
    """Return a button that opens the trace at an address, at the moment `start`, in a `place`: an id.

    Without JavaScript it isn't shown: see `player/view/button.js`, which makes the place.
    """
    data = f'data-trace="{address}" data-name="{name}" data-target="{place}"'
    data += f' data-start="{start}"' * (start != 1)
    return f'<button type="button" hidden aria-expanded="false" data-search-exclude {data}>{text}</button>'


def printed(lines: Sequence[Line], differing: Container[int] = ()) -> str:
    """Return the lines of an output, with the program's lines that printed them, 0 for an unknown one.

    `differing` are the indices of those that another variant of the program does not print.
    """
    shown = "".join(_line(line, index in differing) for index, line in enumerate(lines))
    sources = " ".join(str(line.source or 0) for line in lines)
    by = f' data-from="{sources}"' * any(line.source for line in lines)
    return shown and f"<pre><samp{by}>{shown}</samp></pre>"


def output(head: str, outputs: str, is_searched: bool = True) -> str:
    """Return outputs below a line that says what they are; nothing if there are none."""
    excluded = "" if is_searched else " data-search-exclude"
    return outputs and f'<div class="output"{excluded}><p data-search-exclude>{head}</p>{outputs}</div>'


def table(heads: Sequence[str], rows: Iterable[Iterable[str]], classes: str = "run-table") -> str:
    """Return a table of cells, which are `th` and `td` elements; `heads` may be empty.

    With the class `coded`, what's in the cells of its body is code.
    The spaces between the cells are for the search, whose plugin drops the tags.
    """
    head = f"<thead><tr>{' '.join(heads)}</tr></thead>" if heads else ""
    body = " ".join(f"<tr>{' '.join(row)}</tr>" for row in rows)
    return f'<div class="{classes}" tabindex="0"><table>{head} <tbody>{body}</tbody></table></div>'


def differing(before: Sequence[str], after: Sequence[str]) -> set[int]:
    """Return the indices of the lines `after` that aren't in the lines `before` at that place."""
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return set(range(len(after))) - {block.b + at for block in blocks for at in range(block.size)}


def shown(text: str) -> str:
    """Return text of a run as HTML, its invisible characters made visible."""
    return escape(visible(text))


def shown_as_code(text: str) -> str:
    """Return the same as a code element."""
    return f"<code>{shown(text)}</code>"


def _line(line: Line, differs: bool) -> str:
    """Return a line of an output, an element if it looks different from the others."""
    classes = " ".join([line.kind] * (line.kind != "out") + ["differs"] * differs)
    text = f"{shown(line.text)}\n"
    return f'<span data-by="{line.source or 0}" class="{classes}">{text}</span>' if classes else text
