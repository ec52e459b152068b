"""The glossary: a file of terms in every language; the page that lists it, and links to it where a page
first uses a term."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import msgspec

from weaver.pages.code_spans import apart
from weaver.pages.model import ID
from weaver.pages.published import LITERAL
from weaver.problem import Problem, nearest, read_text, shown
from weaver.render.wrap import UNCASED
from weaver.schema import Document

TOKENS = re.compile(r"(<[^<>]+>)")
TAG = re.compile(r"<(/?)(\w+)")
PROSE = {"p", "li"}
CLOSED = {
    *("a", "aside", "code", "figure", "h1", "h2", "h3", "h4", "label", "math", "nav", "pre", "summary", "svg")
}
Text = Annotated[str, msgspec.Meta(min_length=1)]


@dataclass(frozen=True)
class Term:
    """A term in one language.

    `others` are its other spellings in use, `misspelled` those that are wrong, which are found and not
    shown, `never` are words that are wrong for it, `says` is one sentence on it; `page` is where it is
    explained (`leaf.md#leaf`), None where no page does;
    `translations` are (language, term) in the other languages.
    """

    id: str
    term: str
    others: tuple[str, ...]
    never: tuple[str, ...]
    says: str
    page: str | None
    translations: tuple[tuple[str, str], ...]
    misspelled: tuple[str, ...] = ()


class Wording(msgspec.Struct, forbid_unknown_fields=True):
    """What `glossary.yml` says of a term in one language."""

    term: Text
    says: Text
    also: tuple[str, ...] = ()
    misspelled: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def read(path: Path, language: str, is_partial: bool = False) -> list[Term]:
    """Return the terms of `glossary.yml` in a language; one that `is_partial` may lack some.

    Raises Problem, with its line, for each mistake.
    """
    return list(_read(read_text(path), shown(path), language, is_partial))


@lru_cache(maxsize=8)
def _read(text: str, path: str, language: str, is_partial: bool) -> Sequence[Term]:
    if literal := LITERAL.search(text):
        line = text.count("\n", 0, literal.start()) + 1
        raise Problem(f"{path}:{line}: `{literal[0]}` would appear literally on the page. Remove it.")
    document = Document(text, path)
    terms: list[Term] = []
    known: dict[str, str] = {}
    for id in document.convert(dict[str, Any]):
        entry = document.convert(dict[str, Any], id)
        if not ID.fullmatch(id):
            raise Problem(f"{document.place(id)}: `{id}` can't be an anchor. Use only a-z, 0-9 and `-`.")
        page = document.convert(str, id, "page") if "page" in entry else None
        languages = {code: document.convert(Wording, id, code) for code in entry if code != "page"}
        if language not in languages and is_partial:
            continue
        if language not in languages:
            place = document.place(id)
            raise Problem(f"{place}: `{id}` lacks `{language}: {{term: ..., says: ...}}`. Write it.")
        own = languages.pop(language)
        if (other := known.setdefault(own.term.lower(), id)) != id:
            place = document.place(id, language)
            raise Problem(f"{place}: `{own.term}` is also the term of `{other}`. Choose one.")
        others = tuple((code, other.term) for code, other in languages.items())
        terms.append(Term(id, own.term, own.also, own.never, own.says, page, others, own.misspelled))
    return terms


def initial(term: str, letters: Mapping[str, str]) -> str:
    """Return the letter that a term is listed under: the last of `letters` whose first word isn't after it.

    `letters` maps those of the language, in order, to the first character under each; a term before all
    of them is under its own first letter.
    """
    under = [letter for letter, first in letters.items() if first <= term[0]]
    return under[-1] if under else term[0].upper()


def listed(terms: Iterable[Term], letters: Mapping[str, str]) -> str:
    """Return the terms as a Markdown list, each with an anchor, under its letter; a row of those comes first.

    The language's own `letters` come before others. A term leads to the page that explains it. The letters
    are no headings of the page: they differ from language to language, and no section of the search should
    be called by one.
    """

    def under(term: Term) -> str:
        return initial(term.term, letters)

    ordered = sorted(terms, key=lambda term: (under(term) not in letters, term.term.casefold()))
    found = {letter: _lines(some) for letter, some in groupby(ordered, under)}
    if not found:
        return ""
    row = " ".join(f'<a href="#letter-{letter}">{letter}</a>' for letter in found)
    text = f'<p class="letters" data-search-exclude>{row}</p>\n'
    for letter, lines in found.items():
        attributes = f'class="letter" id="letter-{letter}" role="heading" aria-level="2" data-search-exclude'
        text += f"\n<p {attributes}>{letter}</p>\n\n{lines}"
    return text


def _lines(terms: Iterable[Term]) -> str:
    lines = []
    for term in terms:
        others = "".join(f' <i lang="{code}">{escape(other)}</i>' for code, other in term.translations)
        spellings = ", ".join(map(escape, term.others))
        also = f" <small data-search-exclude>({spellings})</small>" if spellings else ""
        name = f"[{escape(term.term)}]({term.page})" if term.page else escape(term.term)
        lines.append(f'- <b id="{term.id}">{name}</b>{others}{also}: {_without_tags(term.says)}\n')
    return "".join(lines)


def _without_tags(markdown: str) -> str:
    """Return Markdown in which no HTML begins; code is left alone, which Markdown escapes itself."""
    return "".join(text if is_code else text.replace("<", "&lt;") for is_code, text in apart(markdown))


def not_meant(words: Sequence[str], terms: Iterable[Term], place: str) -> Sequence[str]:
    """Return the terms that a page says it means otherwise: `not_terms: [고정]` in its front matter.

    Raises Problem, with the `place` of that line, for a word that isn't a term.
    """
    known = [term.term for term in terms]
    for word in words:
        if word not in known:
            raise Problem(
                f"{place}: `not_terms` has `{word}`, which isn't a term of the glossary. List only "
                f"terms.{nearest(word, known)}"
            )
    return words


def link_first_uses(
    html: str, terms: Iterable[Term], address: str, words: Mapping[str, Any], but: Iterable[str] = ()
) -> str:
    """Return a page's HTML in which the first use of each term in prose links to `address#id`.

    The link's title is the term's sentence. Headings, code, links and pictures are left alone, and so
    are the terms `but`, which the page uses in another sense. Part of a longer word is no use of a term.
    In a script without capitals, the `particles` and `verb_endings` of the language's `words` don't make
    another word of it, and two terms side by side do: 복사 in 복사본, 추론 and 텐서 in 추론 텐서.
    """
    ids = {term.term.lower(): term for term in terms}
    if not ids:
        return html
    names = "|".join(re.escape(name) for name in sorted(ids, key=len, reverse=True))
    particles, verbs = ("|".join(words[kind].split()) for kind in ("particles", "verb_endings"))
    end = rf"(?![a-z_]|-\w|(?<=[a-z])\()(?=(?:{particles})*(?:(?!{UNCASED}){verbs and '|' + verbs}))"
    beside = rf"(?<={UNCASED}) (?:{names})"
    pattern = re.compile(
        rf"(?<![\w-])(?:(?P<term>{names})(?:e?s)?{end}(?!{beside})|(?:{names})(?:{beside})+{end})",
        re.IGNORECASE,
    )
    for word in but:
        ids.pop(word.lower(), None)

    def link(match: re.Match[str]) -> str:
        term = ids.pop((match["term"] or "").lower(), None)
        if not term:
            return match[0]
        return f'<a class="term" href="{address}#{term.id}" title="{escape(term.says)}">{match[0]}</a>'

    prose = closed = 0
    pieces = TOKENS.split(html)
    for number, piece in enumerate(pieces):
        if tag := TAG.match(piece) if number % 2 else None:
            step = -1 if tag[1] else 1
            prose += step * (tag[2] in PROSE)
            closed += step * (tag[2] in CLOSED)
        elif prose and not closed and number % 2 == 0 and piece.strip():
            pieces[number] = pattern.sub(link, piece)
    return "".join(pieces)
