"""A page's Markdown twin, with what the snippets printed, and the list of all twins, for machines."""

import posixpath
import re
import textwrap
from collections.abc import Callable, Iterable

from weaver.markup import Markdown
from weaver.page import Page

FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n+", re.DOTALL)
FENCED = re.compile(r"^((`{3,})[^\n]*\n.*?^\2$)", re.DOTALL | re.MULTILINE)
ATTRIBUTES = re.compile(r"[ \t]+\{ *#[\w-]+ *\}$", re.MULTILINE)
FORMULA = re.compile(r"\$\$?[^$\n]+\$\$?")
LINK = re.compile(r"\]\((?!\w+:|\))(?:(?P<page>[\w./-]+)\.md)?(?P<id>#[\w-]+)?\)")
ADMONITION = re.compile(r'^!!! \w+ "(?P<title>[^"\n]*)"\n(?P<body>(?:\n*    .*)+)', re.MULTILINE)


def twin(page: Page, render: Markdown, address: str = "page/") -> str:
    """Return the page as plain Markdown, with links to the other pages' twins.

    `address` is the page's, below its language's folder: `labs/gan/`.
    """
    up = "../" * address.count("/")

    def link(match):
        if not match["page"]:
            return match[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(address.rstrip("/")), match["page"]))
        return f"]({up}index.md)" if target == "index" else f"]({up}{target}/index.md)"

    return plain(page.weave(render), link)


def plain(text: str, link: Callable[[re.Match], str]) -> str:
    """Return Markdown without what only our site reads: front matter, ids, admonitions, our links.

    `link` returns what stands for a link, of which `page` is the target without `.md`, or None for
    the page itself, and `id` its `#id`.
    """
    pieces = FENCED.split(FRONT_MATTER.sub("", text))
    for number in range(0, len(pieces), 3):  # then come a fence and its marks
        prose = ATTRIBUTES.sub("", pieces[number])
        prose = FORMULA.sub(lambda formula: formula[0].replace("`", ""), prose)
        prose = ADMONITION.sub(_quote, LINK.sub(link, prose))
        pieces[number] = re.sub(r"\n{3,}", "\n\n", prose)
    del pieces[2::3]
    return "".join(pieces)


def _quote(admonition):
    """Return an admonition as a quotation that begins with its title."""
    body = textwrap.dedent(admonition["body"]).strip("\n")
    return textwrap.indent(f"**{admonition['title']}**\n\n{body}", "> ", lambda line: True) + "\n"


def contents(name: str, editions: Iterable[tuple[str, str, Iterable[tuple[str, str, str]]]]) -> str:
    """Return `llms.txt`: the site's name, then for each edition its name, its description and its pages.

    A page is its title, the address of its twin and its description. The form is that of llmstxt.org.
    """
    text = f"# {name}\n"
    for title, description, pages in editions:
        text += f"\n## {title}\n\n{description}\n\n"
        text += "".join(f"- [{page}]({address}): {about}\n" for page, address, about in pages)
    return text
