"""The glossary, one file for both languages: its page, and links to it where a page first uses a term."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Annotated, Any

import msgspec

from weaver.pages.published import LITERAL
from weaver.pages.translations import ID
from weaver.problem import Problem, shown
from weaver.schema import Document

TOKENS = re.compile(r"(<[^<>]+>)")
TAG = re.compile(r"<(/?)(\w+)")
PROSE = {"p", "li"}
CLOSED = {
    "a",
    "code",
    "pre",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "summary",
    "math",
    "svg",
    "aside",
    "label",
    "nav",
}


@dataclass(frozen=True)
class Term:
    """A term in one language.

    `others` are its other spellings in use, `never` are words that are wrong for it, `says` is one
    sentence on it; `page` is where it is explained (`leaf.md#leaf`), None where no page does;
    `translations` are (language, term) in the other languages.
    """

    id: str
    term: str
    others: tuple[str, ...]
    never: tuple[str, ...]
    says: str
    page: str | None
    translations: tuple[tuple[str, str], ...]


class Facts(msgspec.Struct, forbid_unknown_fields=True):
    """What `glossary.yml` says of a term in one language."""

    term: Annotated[str, msgspec.Meta(min_length=1)]
    says: Annotated[str, msgspec.Meta(min_length=1)]
    also: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def read(path: Path, language: str) -> list[Term]:
    """Return the terms of `glossary.yml` in a language. Raises Problem, with its line, for each mistake."""
    text = _text(path)
    if literal := LITERAL.search(text):
        line = text.count("\n", 0, literal.start()) + 1
        raise Problem(f"{shown(path)}:{line}: `{literal[0]}` would be published as it stands. Take it out.")
    document = Document(text, shown(path))
    terms, known = [], {}
    for id in document.convert(dict[str, Any]):
        entry = document.convert(dict[str, Any], id)
        if not ID.fullmatch(id):
            raise Problem(f"{document.place(id)}: `{id}` cannot be an anchor. Write a-z, 0-9 and `-`.")
        page = document.convert(str, id, "page") if "page" in entry else None
        languages = {code: document.convert(Facts, id, code) for code in entry if code != "page"}
        if language not in languages:
            place = document.place(id)
            raise Problem(f"{place}: `{id}` lacks `{language}: {{term: ..., says: ...}}`. Write it.")
        facts = languages[language]
        if (other := known.setdefault(facts.term.lower(), id)) != id:
            place = document.place(id, language)
            raise Problem(f"{place}: `{facts.term}` is the term of `{other}` too. Choose one.")
        others = tuple((code, other.term) for code, other in languages.items() if code != language)
        terms.append(Term(id, facts.term, facts.also, facts.never, facts.says, page, others))
    return terms


def _text(path):
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise Problem(f"{shown(path)}: byte {error.start} is not UTF-8. Save the file as UTF-8.") from None


def listed(terms: Iterable[Term], more: str) -> str:
    """Return the terms as a Markdown list, each with an anchor; `more` names the link to its page."""
    lines = []
    for term in terms:
        others = "".join(f' <i lang="{code}">{escape(other)}</i>' for code, other in term.translations)
        also = f" <small data-search-exclude>({', '.join(term.others)})</small>" if term.others else ""
        link = f" [{more}]({term.page})" if term.page else ""
        lines.append(f'- <b id="{term.id}">{escape(term.term)}</b>{others}{also}: {term.says}{link}\n')
    return "".join(lines)


def link_first_uses(html: str, terms: Iterable[Term], address: str) -> str:
    """Return a page's HTML in which the first use of each term in prose links to `address#id`.

    The link's title is the term's sentence. Headings, code, links and pictures are left alone.
    """
    ids = {term.term.lower(): term for term in terms}
    if not ids:
        return html
    names = "|".join(re.escape(name) for name in sorted(ids, key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w가-힣-])({names})(?:e?s)?(?![a-z_(])", re.IGNORECASE)

    def link(match):
        term = ids.pop(match[1].lower(), None)
        if term is None:
            return match[0]
        return f'<a class="term" href="{address}#{term.id}" title="{escape(term.says)}">{match[0]}</a>'

    prose = closed = 0
    pieces = TOKENS.split(html)
    for number, piece in enumerate(pieces):
        if number % 2:
            end, name = TAG.match(piece).groups() if TAG.match(piece) else ("", "")
            step = -1 if end else 1
            prose += step * (name in PROSE)
            closed += step * (name in CLOSED)
        elif prose and not closed and piece.strip():
            pieces[number] = pattern.sub(link, piece)
    return "".join(pieces)
