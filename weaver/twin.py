"""A page's Markdown twin, with what the snippets printed, and the list of all twins, for machines."""

import re
from collections.abc import Iterable

from weaver.markup import Markdown
from weaver.page import Page

FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n+", re.DOTALL)
ATTRIBUTES = re.compile(r"[ \t]+\{ *#[\w-]+ *\}$", re.MULTILINE)
FORMULA = re.compile(r"\$\$?[^$\n]+\$\$?")
LINK = re.compile(r"\]\((?!\w+:)([\w-]+)\.md(#[\w-]+)?\)")


def twin(page: Page, render: Markdown) -> str:
    """Return the page as plain Markdown: no front matter, no ids, links to the other pages' twins."""
    text = FRONT_MATTER.sub("", page.weave(render))
    text = ATTRIBUTES.sub("", text)
    text = FORMULA.sub(lambda formula: formula[0].replace("`", ""), text)
    text = LINK.sub(r"](../\1/index.md)", text).replace("](../index/index.md)", "](../index.md)")
    return re.sub(r"\n{3,}", "\n\n", text)


def contents(name: str, editions: Iterable[tuple[str, str, Iterable[tuple[str, str, str]]]]) -> str:
    """Return `llms.txt`: the site's name, then for each edition its name, its description and its pages.

    A page is its title, the address of its twin and its description. The form is that of llmstxt.org.
    """
    text = f"# {name}\n"
    for title, description, pages in editions:
        text += f"\n## {title}\n\n{description}\n\n"
        text += "".join(f"- [{page}]({address}): {about}\n" for page, address, about in pages)
    return text
