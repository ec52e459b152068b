"""What Markdown made of a page: where its marks are, its headings, and braces that nobody has read."""

import re
from html.parser import HTMLParser

MARKS = "\U000f0000-\U0010ffff"  # private characters, by which the engine marks the place of a directive
MARK = re.compile(f"[{MARKS}]")
LITERAL = re.compile(r"(?:\{\{|｛\s?[{｛]|\{\s?｛)[^{}｛｝\n]*[}｝]*")
CODE = {"code", "pre", "samp", "kbd", "tt"}
RAW = {"script", "style", "textarea", "title", "option", "iframe", "noscript", "template", "xmp"}
HEADINGS = {f"h{level}": level for level in range(1, 7)}


class Published(HTMLParser):
    """Reads a page's HTML before its marks are replaced.

    `hidden` are marks in places where nothing can be put, each with words for the place; `literal` is
    the first text that is neither code nor replaced and looks like a directive; `headings` are level
    and id.
    """

    CDATA_CONTENT_ELEMENTS = (*("script", "style", "textarea"), "title", "xmp", "iframe")  # type: ignore[misc]

    def __init__(self, html: str):
        super().__init__(convert_charrefs=False)
        self.hidden: list[tuple[str, str]] = []
        self.literal: str | None = None
        self.headings: list[tuple[int, str | None]] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            self._hide(f"{name}{value or ''}", "a link's target, an image's text or a tag's attribute")
        if tag in HEADINGS:
            self.headings.append((HEADINGS[tag], dict(attributes).get("id")))
        if tag in CODE or tag in RAW:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            del self._open[len(self._open) - 1 - self._open[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if self._open:
            self._hide(data, f"`<{self._open[-1]}>`" if self._open[-1] in RAW else "code")
        elif not self.literal and (literal := LITERAL.search(data)):
            self.literal = literal[0]

    def handle_comment(self, data: str) -> None:
        self._hide(data, "an HTML comment")

    def handle_decl(self, data: str) -> None:
        self._hide(data, "an HTML declaration")

    handle_pi = unknown_decl = handle_decl

    def _hide(self, text: str, where: str) -> None:
        self.hidden += [(mark, where) for mark in MARK.findall(text)]
