"""A page's front matter: the YAML between two lines of `---`, by which the page says what it is about."""

import re
from collections.abc import Collection, Iterator
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
    """The front matter as it was read: its lines with their marks, what they say, where each key is."""

    lines: tuple[str, ...] = ()
    says: FrontMatter = FrontMatter()
    document: Document | None = None

    @property
    def text(self) -> str:
        """The front matter as it's written."""
        return "".join(self.lines)

    def place(self, path: str, *keys: str) -> str:
        """Return where a key is, or the page's first line."""
        return self.document.place(*keys) if self.document else f"{path}:1"


def read(lines: list[str], path: str) -> Front:
    """Return the front matter that a page's lines begin with; `path` is for messages.

    Raises Problem, with the line, for what MkDocs would publish as text, or take from the text.
    """
    bare = [line.rstrip("\n") for line in lines]
    if not bare or not MARK.fullmatch(bare[0]):
        _want_none(bare, path)
        return Front()
    end = next((number for number, line in enumerate(bare[1:], 1) if END.fullmatch(line)), None)
    if end is None:
        raise Problem(
            f"{path}:1: the front matter isn't closed. Write `---` below it or, if this is a horizontal "
            "rule, `***`."
        )
    if not lines[end].endswith("\n"):
        raise Problem(f"{path}:{end + 1}: the page is empty below the front matter. Write its text.")
    for number, line in enumerate(bare[1:end], 2):
        if "{{" in line:
            raise Problem(f"{path}:{number}: front matter can't contain a directive. Move it into the text.")
    document = Document("".join(lines[1:end]), path, 2)
    if document.data is None:
        raise Problem(f"{path}:1: the front matter is empty. Remove its two lines, or write `title: ...`.")
    for key in FrontMatter.__struct_fields__:
        if isinstance(document.data, dict) and document.data.get(key, key) is None:
            raise Problem(f"{document.place(key)}: `{key}` is empty. Give it a value, or remove the line.")
    return Front(tuple(lines[: end + 1]), document.convert(FrontMatter), document)


def _want_none(lines: list[str], path: str) -> None:
    """Raise Problem for front matter without marks, with others, or not on the first line."""
    if lines and (key := KEY.fullmatch(lines[0])):
        raise Problem(
            f"{path}:1: `{key[1]}:` looks like front matter without `---`. Put it between two lines of "
            "`---`, or begin the page with its title."
        )
    number = next((number for number, line in enumerate(lines, 1) if line.strip()), 0)
    if number and RULE.fullmatch(lines[number - 1]) and any(map(KEY.fullmatch, lines[number : number + 1])):
        raise Problem(
            f"{path}:{number}: front matter must begin on the first line, with exactly `---`. Move it there."
        )


def lacks(front: Front, path: str, title: str | None, required: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each of the `required` keys that a page lacks, or has no use of.

    `title` is the text of its first heading, None if it has none. What has a template of its own is
    no text, and needs none.
    """
    says = front.says
    if says.template:
        return
    for key in sorted(required):
        if not getattr(says, key):
            yield f"{front.place(path, key)}: the front matter lacks `{key}`. Write `{key}: `."
    if "title" in required and says.title and says.title != title:
        yield (
            f"{front.place(path, 'title')}: the title is `{says.title}`, but the first heading is "
            f"`{title or ''}`. Make them the same."
        )
    if "description" in required and says.description:
        length = len(says.description)
        if not SHORTEST <= length <= LONGEST:
            yield (
                f"{front.place(path, 'description')}: the description has {length} characters. Search "
                f"engines show {SHORTEST} to {LONGEST}: write that many."
            )
    if "keywords" in required and says.keywords:
        if len(says.keywords) < FEWEST:
            yield (
                f"{front.place(path, 'keywords')}: the page has {len(says.keywords)} keywords. Write "
                f"{FEWEST} or more that readers would type."
            )
        for number, word in enumerate(says.keywords):
            if word in says.keywords[:number]:
                yield (
                    f"{front.place(path, 'keywords', str(number))}: duplicate keyword `{word}`. Remove one."
                )
