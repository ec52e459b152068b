"""A page's front matter: the YAML between two lines of `---`, by which the page says what it is about."""

import re
from collections.abc import Collection
from typing import Any

import msgspec

from weaver.problem import Problem
from weaver.schema import Document

MARK = re.compile(r"---[ \t]*")
RULE = re.compile(r"-{3,}[ \t]*")
END = re.compile(r"(?:---|\.\.\.)[ \t]*")
KEY = re.compile(r" {0,3}([A-Za-z0-9_-]+):(?:\s.*)?")  # MkDocs takes such a first line for front matter
SHORTEST, LONGEST = 20, 200  # characters of a description: what search engines show
FEWEST = 5  # keywords


class FrontMatter(msgspec.Struct, frozen=True, kw_only=True):
    """What a page says of itself. Other keys belong to MkDocs and its theme.

    `nav_title` is what the navigation calls it, if its title is too long for that; `before` are the pages to
    read before this one, with an id or without. `moved` maps ids that the page once had to what answers
    now, `not_terms` are words of the glossary that it means otherwise.
    """

    title: str | None = None
    nav_title: str | None = None
    description: str | None = None
    keywords: tuple[str, ...] = ()
    jupyter: dict[str, Any] | None = None
    template: str | None = None
    before: tuple[str, ...] = ()
    moved: dict[str, str] = {}
    not_terms: tuple[str, ...] = ()


class Front(msgspec.Struct, frozen=True):
    """The front matter as it was read: its lines with their marks, what they say, where each key stands."""

    lines: tuple[str, ...] = ()
    says: FrontMatter = FrontMatter()
    document: Any = None

    @property
    def text(self) -> str:
        return "".join(self.lines)

    def place(self, path: str, key: str) -> str:
        """Return where a key stands, or the page's first line."""
        return self.document.place(key) if self.document else f"{path}:1"


def read(lines: list[str], path: str) -> Front:
    """Return the front matter that a page's lines begin with; `path` is for messages.

    Raises Problem, with the line, for what MkDocs would publish as text, or take from the text.
    """
    first = lines[0].rstrip("\n") if lines else ""
    if not MARK.fullmatch(first):
        if key := KEY.fullmatch(first):
            raise Problem(
                f"{path}:1: `{key[1]}:` looks like front matter without `---`. Put it between two lines of "
                "`---`, or begin the page with its title."
            )
        _want_no_late_one(lines, path)
        return Front()
    end = next((n for n, line in enumerate(lines[1:], 1) if END.fullmatch(line.rstrip("\n"))), None)
    if end is None:
        raise Problem(
            f"{path}:1: the front matter isn't closed. Write `---` below it or, if this is a horizontal "
            "rule, `***`."
        )
    if not lines[end].endswith("\n"):
        raise Problem(f"{path}:{end + 1}: the page is empty below the front matter. Write its text.")
    inside = lines[1:end]
    for number, line in enumerate(inside, 2):
        if "{{" in line:
            raise Problem(f"{path}:{number}: front matter can't contain a directive. Move it into the text.")
    document = Document("".join(inside), path, 2)
    if document.data is None:
        raise Problem(f"{path}:1: the front matter is empty. Remove its two lines, or write `title: ...`.")
    for key in FrontMatter.__struct_fields__:
        if isinstance(document.data, dict) and document.data.get(key, key) is None:
            raise Problem(f"{document.place(key)}: `{key}` is empty. Give it a value, or remove the line.")
    return Front(tuple(lines[: end + 1]), document.convert(FrontMatter), document)


def _want_no_late_one(lines, path):
    """Raise Problem for front matter that does not begin on the first line, or with other marks."""
    number = next((number for number, line in enumerate(lines) if line.strip()), None)
    if number is None or not RULE.fullmatch(lines[number].rstrip("\n")):
        return
    if any(KEY.fullmatch(line.rstrip("\n")) for line in lines[number + 1 : number + 2]):
        raise Problem(
            f"{path}:{number + 1}: front matter must begin on the first line, with exactly `---`. "
            "Move it there."
        )


def lacks(front: Front, path: str, title: str | None, required: Collection[str]) -> list[str]:
    """Return a sentence for each of the `required` keys that a page lacks, or has no use of.

    `title` is the text of its first heading, None if it has none. What has a template of its own is
    no text, and needs none.
    """
    says, problems = front.says, []
    if says.template:
        return []
    for key in sorted(required):
        if not getattr(says, key):
            problems.append(f"{front.place(path, key)}: the front matter lacks `{key}`. Write `{key}: `.")
    if "title" in required and says.title and says.title != title:
        problems.append(
            f"{front.place(path, 'title')}: the title is `{says.title}`, but the first heading is "
            f"`{title or ''}`. Make them the same."
        )
    if "description" in required and says.description:
        length = len(says.description)
        if not SHORTEST <= length <= LONGEST:
            problems.append(
                f"{front.place(path, 'description')}: the description has {length} characters. Search "
                f"engines show {SHORTEST} to {LONGEST}: write that many."
            )
    if "keywords" in required and says.keywords:
        if len(says.keywords) < FEWEST:
            problems.append(
                f"{front.place(path, 'keywords')}: the page has {len(says.keywords)} keywords. Write "
                f"{FEWEST} or more that readers would type."
            )
        at = front.document.place
        problems += [
            f"{at('keywords', str(number))}: duplicate keyword `{word}`. Remove one."
            for number, word in enumerate(says.keywords)
            if word in says.keywords[:number]
        ]
    return problems
