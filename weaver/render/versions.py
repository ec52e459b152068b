"""What other versions of torch print: a remark above an output, and below it what differs."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from weaver.render import html, markdown
from weaver.versions.record import Elsewhere, order, union


def span(first: str, last: str, words: Mapping[str, Any]) -> str:
    """Return the versions from one to another in words."""
    first, last = (one.rpartition(".")[0] for one in (first, last))
    text: str = words["versions_span"].format(first=first, last=last) if first != last else first
    return text


class Spread:
    """What's known of a program whose output on the page is by `torch`, in words of a language."""

    def __init__(self, elsewhere: Elsewhere, torch: str, words: Mapping[str, Any]) -> None:
        self.known, self.torch, self.words = union(elsewhere.ran, [torch]), torch, words
        found = [(set(other.versions) - {torch}, other.output) for other in elsewhere.others]
        self.others = [(sorted(versions, key=order), output) for versions, output in found if versions]
        self.differing = union((one for versions, _ in self.others for one in versions), ())
        self.same = [one for one in self.known if one not in self.differing]

    def spans(self, versions: Collection[str]) -> str:
        """Return some of the known versions in words: `1.13 to 2.4, 2.8`."""
        groups = (list(group) for _, group in groupby(self.known, key=lambda one: one in versions))
        return ", ".join(span(one[0], one[-1], self.words) for one in groups if one[0] in versions)

    @property
    def remark(self) -> list[str]:
        """What's said above the output on the page: in which versions it's the same, if any ran it."""
        if len(self.known) == 1:
            return []
        key = "versions_only" if self.same == [self.torch] else "versions_same"
        return [self.words[key].format(versions=self.spans(self.same))]

    def html(self, printed: Sequence[str]) -> str:
        """Return the other outputs, folded; lines that `printed`, the one on the page, lacks are marked."""
        if not self.others:
            return ""
        shown = []
        for versions, output in self.others:
            head = f"<p data-search-exclude>torch {self.spans(versions)}</p>"
            lines = "".join(_lines(printed, output.split("\n")[:-1])) or self.words["what_if_no_output"]
            shown.append(f'{head}<pre data-torch="{" ".join(versions)}">{lines}</pre>')
        said = self.words["versions_differ"].format(versions=self.spans(self.differing))
        return f'<details class="versions"><summary>{said}</summary> {"".join(shown)}</details>'

    def markdown(self) -> str:
        """Return the other outputs as fences, each below its versions."""
        nothing = self.words["what_if_no_output"] + "\n"
        return "".join(
            markdown.printed(f"torch {self.spans(versions)}", output or nothing)
            for versions, output in self.others
        )


def _lines(printed: Sequence[str], other: Sequence[str]) -> Iterable[str]:
    """Yield the lines of another output; those that the one on the page lacks are elements."""
    new = html.differing(printed, other)
    for index, line in enumerate(other):
        text = f"{html.shown(line)}\n"
        yield f'<span class="differs">{text}</span>' if index in new else text
