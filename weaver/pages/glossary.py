"""The glossary, one file for both languages: its page, and links to it where a page first uses a term."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import msgspec

from weaver.pages.code_spans import apart
from weaver.pages.published import LITERAL
from weaver.pages.translations import ID
from weaver.problem import Problem, nearest, shown
from weaver.schema import Document

TOKENS = re.compile(r"(<[^<>]+>)")
TAG = re.compile(r"<(/?)(\w+)")
PROSE = {"p", "li"}
# What may stand behind a Korean noun without making another word of it: particles, 이다, 하다, 되다
ENDING = (
    r"들?(?:(?:은|는|이|가|을|를|의|에|에서|에게|로|으로|와|과|도|만|까지|부터|보다|처럼|마다|나|이나|라|라고|라는"
    r"|란|이란|랑|뿐|대로|밖에|조차|마저|끼리|째|쪽|인|일|임|인데|인지|일까요|예요){1,3}(?![가-힣])"
    r"|(?:이[다고며면라어었므지자기니든]|입니|였|하|해|했|한|할|함|합|되|돼|됐|된|될|됨|됩|시키|시킨|시킬|시킵|시켜))"
)
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


class Facts(msgspec.Struct, forbid_unknown_fields=True):
    """What `glossary.yml` says of a term in one language."""

    term: Annotated[str, msgspec.Meta(min_length=1)]
    says: Annotated[str, msgspec.Meta(min_length=1)]
    also: tuple[str, ...] = ()
    misspelled: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def read(path: Path, language: str, is_partial: bool = False) -> list[Term]:
    """Return the terms of `glossary.yml` in a language, in its order: 가나다, then A to Z.

    A language that `is_partial` may lack terms.

    Raises Problem, with its line, for each mistake.
    """
    return list(_read(_text(path), shown(path), language, is_partial))


@lru_cache(maxsize=8)
def _read(text, path, language, is_partial):
    if literal := LITERAL.search(text):
        line = text.count("\n", 0, literal.start()) + 1
        raise Problem(f"{path}:{line}: `{literal[0]}` would appear literally on the page. Remove it.")
    document = Document(text, path)
    terms, known = [], {}
    for id in document.convert(dict[str, Any]):
        entry = document.convert(dict[str, Any], id)
        if not ID.fullmatch(id):
            raise Problem(f"{document.place(id)}: `{id}` can't be an anchor. Use only a-z, 0-9 and `-`.")
        page = document.convert(str, id, "page") if "page" in entry else None
        languages = {code: document.convert(Facts, id, code) for code in entry if code != "page"}
        if language not in languages and is_partial:
            continue
        if language not in languages:
            place = document.place(id)
            raise Problem(f"{place}: `{id}` lacks `{language}: {{term: ..., says: ...}}`. Write it.")
        facts = languages[language]
        if (other := known.setdefault(facts.term.lower(), id)) != id:
            place = document.place(id, language)
            raise Problem(f"{place}: `{facts.term}` is also the term of `{other}`. Choose one.")
        others = tuple((code, other.term) for code, other in languages.items() if code != language)
        found = Term(id, facts.term, facts.also, facts.never, facts.says, page, others, facts.misspelled)
        terms.append(found)
    return sorted(terms, key=lambda term: (not "가" <= term.term[0] <= "힣", term.term.casefold()))


def _text(path):
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise Problem(f"{shown(path)}: byte {error.start} is not UTF-8. Save the file as UTF-8.") from None


def initial(term: str) -> str:
    """Return the letter that a term stands under: of a Korean syllable its first consonant, ㄱ for 까."""
    if "가" <= term[0] <= "힣":
        return "ㄱㄱㄴㄷㄷㄹㅁㅂㅂㅅㅅㅇㅈㅈㅊㅋㅌㅍㅎ"[(ord(term[0]) - ord("가")) // 588]
    return term[0].upper()


def listed(terms: Iterable[Term]) -> str:
    """Return the terms as a Markdown list, each with an anchor, under its letter; a row of those comes first.

    A term leads to the page that explains it. The letters are no headings of the page: they differ from
    language to language, and no section of the search should be called by one.
    """
    letters = {letter: list(some) for letter, some in groupby(terms, lambda term: initial(term.term))}
    if not letters:
        return ""
    row = " ".join(f'<a href="#letter-{letter}">{letter}</a>' for letter in letters)
    lines = [f'<p class="letters" data-search-exclude>{row}</p>\n']
    for letter, some in letters.items():
        attributes = f'class="letter" id="letter-{letter}" role="heading" aria-level="2" data-search-exclude'
        lines.append(f"\n<p {attributes}>{letter}</p>\n\n{_lines(some)}")
    return "".join(lines)


def _lines(terms):
    lines = []
    for term in terms:
        others = "".join(f' <i lang="{code}">{escape(other)}</i>' for code, other in term.translations)
        spellings = ", ".join(map(escape, term.others))
        also = f" <small data-search-exclude>({spellings})</small>" if spellings else ""
        name = f"[{escape(term.term)}]({term.page})" if term.page else escape(term.term)
        lines.append(f'- <b id="{term.id}">{name}</b>{others}{also}: {_without_tags(term.says)}\n')
    return "".join(lines)


def _without_tags(markdown):
    """Return Markdown in which no HTML begins; code is left alone, which Markdown escapes itself."""
    return "".join(text if is_code else text.replace("<", "&lt;") for is_code, text in apart(markdown))


def not_meant(words: object, terms: Iterable[Term], place: str) -> list[str]:
    """Return the terms that a page says it means otherwise: `not_terms: [고정]` in its front matter.

    Raises Problem, with the page's `place`, for a word that is no term.
    """
    known = [term.term for term in terms]
    listed = words if isinstance(words, list) else [words]
    for word in listed:
        if word not in known:
            raise Problem(
                f"{place}: `not_terms` has `{word}`, which isn't a term of the glossary. List only "
                f"terms.{nearest(str(word), known)}"
            )
    return listed


def link_first_uses(html: str, terms: Iterable[Term], address: str, but: Iterable[str] = ()) -> str:
    """Return a page's HTML in which the first use of each term in prose links to `address#id`.

    The link's title is the term's sentence. Headings, code, links and pictures are left alone, and so
    are the terms `but`, which the page uses in another sense. Part of a longer word is no use of a term,
    nor, in Korean, are two terms side by side: 복사 in 복사본, 추론 and 텐서 in 추론 텐서.
    """
    ids = {term.term.lower(): term for term in terms}
    if not ids:
        return html
    names = "|".join(re.escape(name) for name in sorted(ids, key=len, reverse=True))
    end = rf"(?![a-z_]|-\w|(?<=[a-z])\()(?:(?![가-힣])|(?={ENDING}))"
    beside = rf"(?<=[가-힣]) (?:{names})"
    pattern = re.compile(
        rf"(?<![\w가-힣-])(?:(?P<term>{names})(?:e?s)?{end}(?!{beside})|(?:{names})(?:{beside})+{end})",
        re.IGNORECASE,
    )
    for word in but:
        ids.pop(word.lower(), None)

    def link(match):
        term = match["term"] and ids.pop(match["term"].lower(), None)
        if not term:
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
