"""What the other variants of a what-if put in the place of the first: a script that is asked for when needed.

A script, as nothing else is read from a disk: `weaverFlip(line, data)`.
"""

import hashlib
from pathlib import PurePosixPath

from weaver.directives.directive import Directive, Show
from weaver.execution.snippets.result import Result
from weaver.pages.model import Page
from weaver.player.page import in_script


class Variants:
    """The pieces of one what-if of a page: by their names, for each variant, its HTML."""

    def __init__(self, what_if: Directive, show: Show) -> None:
        self.line = what_if.line
        self.shows = show.variants(what_if.name)
        self.pieces: dict[str, list[str]] = {}
        results = [there.results[what_if.name] for there in self.shows]
        self.traced = [isinstance(one, Result) and one.trace is not None for one in results]

    def add(self, directive: Directive, number: str) -> str:
        """Return the HTML of a directive for the first variant, and note that for all."""
        first = next(there for there in self.shows if there.first is None)
        html = directive.html(first)
        found: dict[str, list[str]] = {}
        for there in self.shows:
            stopped = there.first and _stopped_before(directive, there)
            pieces = {"": _nothing(directive, there)} if stopped else directive.pieces(there)
            for name, piece in pieces.items():
                found.setdefault(name or number, []).append(piece)
        for name, some in found.items():
            self.pieces.setdefault(name, []).extend(some)
        if directive.flips:
            return html
        tag = "div" if directive.is_block else "span"
        return f'<{tag} data-flip="{number}">{html}</{tag}>'

    @property
    def text(self) -> str:
        """The script: of each piece, what differs from the first variant's."""
        own = [there.first is None for there in self.shows].index(True)
        pieces = {
            name: [None if html == htmls[own] else html for html in htmls]
            for name, htmls in self.pieces.items()
        }
        pieces = {name: htmls for name, htmls in pieces.items() if any(html is not None for html in htmls)}
        return f"weaverFlip({self.line}, {in_script({'pieces': pieces, 'traced': self.traced})});\n"

    def file(self, page: Page) -> str:
        """Return the name of the script, which lies beside the page."""
        digest = hashlib.sha256(self.text.encode()).hexdigest()[:8]
        return f"{PurePosixPath(page.path).stem}.{self.line}.{digest}.js"

    def reference(self, page: Page) -> str:
        """Return the HTML that says where the script is."""
        return f'<i hidden data-variants="{self.file(page)}"></i>'


def _stopped_before(directive: Directive, show: Show) -> bool:
    """Tell whether a variant ended in its announced error before it had what the directive shows."""
    result = directive.what_if and show.results[directive.what_if.name]
    if directive.flips or not isinstance(result, Result) or not result.error:
        return False
    answers = [show.results[name].answer(query) for name, query in directive.queries]
    return any((one.error or "").startswith("NameError") for one in answers)


def _nothing(directive: Directive, show: Show) -> str:
    text = show.words["what_if_stopped"]
    return f"<p>{text}</p>" if directive.is_block else f'<span title="{text}">–</span>'
