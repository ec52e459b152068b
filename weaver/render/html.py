"""The pieces of HTML that directives are shown with: programs, outputs, figures."""

from collections.abc import Container, Iterable
from functools import cache, lru_cache
from html import escape

from pygments import highlight
from pygments.filter import simplefilter
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from pygments.token import Keyword, Name, Operator, Punctuation, Text, Whitespace

from weaver.escape import visible
from weaver.execution.snippets.result import Line

# In the color of all code: no element each
PLAIN = {Keyword.Constant, Name, Operator, Punctuation, Whitespace}


@simplefilter
def _without_plain(self, lexer, stream, options):
    """Make text of the tokens that need no color of their own: most of a page's elements were theirs."""
    for kind, text in stream:
        yield (Text if kind in PLAIN else kind), text


@cache
def _highlighting():
    """Return lexer and formatter: a build that shows nothing new does without the time to make them."""
    lexer = PythonLexer(stripnl=False)
    lexer.add_filter(_without_plain())
    return lexer, HtmlFormatter(nowrap=True)


def code(source: str, first_line: int = 1) -> str:
    """Return highlighted code, a span per line, numbered from `first_line`, as HTML."""
    return framed(code_lines(source, first_line))


@lru_cache(maxsize=1024)
def code_lines(source: str, first_line: int = 1, marks: tuple[tuple[int, str], ...] = ()) -> str:
    """Return the lines of `code` without their frame; `marks` are attributes for lines, counted from 1.

    They are kept: all languages show the same, and they can be made while the code still runs.
    """
    lines, attributes = highlight(source.rstrip(), *_highlighting()).rstrip("\n").split("\n"), dict(marks)
    return "".join(
        f'<span data-line="{first_line + index}"{attributes.get(index + 1, "")}>{line}\n</span>'
        for index, line in enumerate(lines)
    )


def framed(lines: str) -> str:
    """Return the frame around lines of code."""
    inside = f'<pre><code class="nohighlight">{lines}</code></pre>'  # it is highlighted: scripts need not
    return f'<div class="highlight" data-search-exclude>{inside}</div>'


def figure(inside: str, id: str = "") -> str:
    """Return the frame around a program and its output; an address may end in its `id`.

    That is on no element around the program: Material makes a selector of it for its copy button, which a
    slash breaks.
    """
    own = f'<span id="{id}"></span>' if id else ""
    return f'<figure class="snippet">{own}{inside}</figure>'


def title(address: str, name: str, more: str = "") -> str:
    """Return a program's title, a link to its file; `more` is HTML behind the name."""
    link = f'<a href="{address}" download>{name}</a>{more}'
    return f"<figcaption data-search-exclude>{link}</figcaption>"


def stepper(address: str, name: str, place: str, text: str, start: int = 1) -> tuple[str, str]:
    """Return a button that opens the trace at an address, and the place, an id, in which it opens.

    It opens at the moment `start`. Without JavaScript there is neither: see `trace/view/button.js`.
    """
    data = f'data-trace="{address}" data-name="{name}" data-target="{place}"'
    data += f' data-start="{start}"' * (start != 1)
    button = f'<button type="button" hidden aria-expanded="false" data-search-exclude {data}>{text}</button>'
    return button, f'<div id="{place}" hidden data-search-exclude></div>'


def step_button(place: str, moment: int, text: str) -> str:
    """Return a button, called `text`, that opens the trace whose place is `place` at a moment."""
    data = f'data-for="{place}" data-moment="{moment}"'
    return f'<button type="button" hidden {data} aria-label="{text} {moment}">▶</button>'


def printed(lines: Iterable[Line], differing: Container[int] = ()) -> str:
    """Return the lines of an output, each with the program's line that printed it.

    `differing` are the indices of those that another variant of the program does not print.
    """
    spans = "".join(
        f"<span{_marks(line, index in differing)}>{escape(visible(line.text))}\n</span>"
        for index, line in enumerate(lines)
    )
    return spans and f"<pre><samp>{spans}</samp></pre>"


def output(head: str, outputs: str, is_searched: bool = True) -> str:
    """Return outputs below a line that says what they are; nothing if there are none."""
    excluded = "" if is_searched else " data-search-exclude"
    return outputs and f'<div class="output"{excluded}><p data-search-exclude>{head}</p>{outputs}</div>'


def shown_as_code(text: str) -> str:
    """Return text of a run as a code element, its invisible characters made visible."""
    return f"<code>{escape(visible(text))}</code>"


def _marks(line: Line, differs: bool) -> str:
    source = f' data-from="{line.source}"' if line.source else ""
    classes = " ".join([line.kind] * (line.kind != "out") + ["differs"] * differs)
    return source + (f' class="{classes}"' if classes else "")
