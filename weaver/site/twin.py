"""A page's Markdown twin, with the programs' outputs, for machines."""

import posixpath
import re
import textwrap
from collections.abc import Callable, Iterator
from itertools import groupby

from weaver.directives.directive import Show
from weaver.pages.code_spans import apart, fences
from weaver.pages.model import Page

ATTRIBUTES = re.compile(r"[ \t]+\{[^{}\n]*(#[\w-]+)[^{}\n]*\}$", re.MULTILINE)
FORMULA = re.compile(r"(?<!`)\$\$?(?! )[^$\n]+\$\$?")
LINK = re.compile(r"\]\((?!\w+:|\))(?:(?P<page>[\w./-]+)\.md)?(?P<id>#[\w-]+)?(?P<title> \"[^\"]*\")?\)")
ADMONITION = re.compile(r'(?:!!!|\?\?\?\+?) ?\w[\w -]*(?:"(?P<title>[^"\n]*)")?\s*')


def twin(page: Page, show: Show, address: str = "page/") -> str:
    """Return the page as plain Markdown, with links to the other pages' twins.

    `address` is the page's, below its language's folder: `labs/gan/`.
    """
    up = "../" * address.count("/")

    def link(match: re.Match) -> str:
        if not match["page"]:
            return match[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(address.rstrip("/")), match["page"]))
        return f"]({up}{'' if target == 'index' else f'{target}/'}index.md{match['id'] or ''})"

    return plain(page.weave(lambda directive: directive.markdown(show)).lstrip("\n"), link, r" {\1}")


def plain(text: str, link: Callable[[re.Match], str], id: str = "") -> str:
    r"""Return Markdown without what only our site reads: attributes, admonitions, our links.

    `link` returns what replaces a link: its group `page` is the target without `.md`, or None for the page
    itself, and `id` is its `#id`. The `id` of a heading is written as given: `\1` is its `#id`. Code stays
    as it is.
    """

    def prose(text: str) -> str:
        text = FORMULA.sub(lambda formula: formula[0].replace("`", ""), ATTRIBUTES.sub(id, text))
        text = "".join(piece if is_code else LINK.sub(link, piece) for is_code, piece in apart(text))
        return re.sub(r"\n{3,}", "\n\n", text)

    return "".join(piece if is_code else prose(piece) for is_code, piece in pieces(_quoted(text)))


def pieces(text: str, is_indented: bool = True) -> Iterator[tuple[bool, str]]:
    """Yield a text's fences and what is between them, each with whether it is a fence.

    Those that are indented by four spaces or more, which are part of something, count if `is_indented`.
    """
    lines = text.splitlines(keepends=True)
    for mark, some in groupby(zip(fences(lines, is_indented), lines, strict=True), key=lambda one: one[0]):
        yield bool(mark), "".join(line for _, line in some)


def with_admonitions(text: str, show: Callable[[re.Match, str, bool], str]) -> str:
    """Return Markdown in which each admonition is what `show(first line, body, is last)` makes of it.

    The body has no indentation of its own; the first line is as ADMONITION finds it.
    """
    made = ""
    for is_code, piece in pieces(text, is_indented=False):
        lines = [] if is_code else piece.splitlines(keepends=True)
        made += piece if is_code else ""
        while lines:
            line = lines.pop(0)
            admonition, body = ADMONITION.fullmatch(line), ""
            while admonition and lines and (lines[0].startswith("    ") or lines[0].isspace()):
                body += lines.pop(0)
            made += show(admonition, textwrap.dedent(body).strip("\n"), not lines) if admonition else line
    return made


def _quoted(text: str) -> str:
    """Return Markdown with each admonition as a quotation that begins with its title."""

    def quote(admonition: re.Match, body: str, is_last: bool) -> str:
        title = f"**{admonition['title']}**\n\n" if admonition["title"] else ""
        return textwrap.indent(title + _quoted(body), "> ", lambda line: True) + "\n" * (1 if is_last else 2)

    return with_admonitions(text, quote)
