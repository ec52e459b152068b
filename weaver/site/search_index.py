"""The search index: pages' texts, with keywords, what links to them say and what readers type; synonyms."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Set
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from weaver.pages.glossary import Term
from weaver.pages.model import Page
from weaver.problem import Problem, nearest, read_text, shown
from weaver.schema import Document

OUTPUT = re.compile("<pre>.*?</pre>", re.DOTALL)
INLINE = re.compile(r"</?(?:code|strong|em|a|span|div|figure|sub|sup)\b[^>]*>")
TAG = re.compile("<[^>]*>")
FIRST = re.compile(r"\s*<p>\s*<code>(.*?)</code>\s*</p>", re.DOTALL)
MESSAGE = re.compile(r"\b\w+(?:Error|Warning): [^\n<]*")
LINK = re.compile(r'<a href="([^":/][^":]*)"[^>]*>(.*?)</a>', re.DOTALL)  # within the site
DOCUMENTS = "documents.json"


def read_synonyms(path: Path) -> dict[str, list[str]]:
    """Return synonyms of the pages' words. Raises Problem, with its line, for each mistake."""
    document = Document(read_text(path), shown(path))
    return {word: document.convert(list[str], word) for word in document.convert(dict[str, Any])}


def read_typed(path: Path, pages: Mapping[str, Page]) -> dict[str, list[str]]:
    """Return what readers type who need a section, by its `page.md#id`; `pages` are a language's, by path.

    Raises Problem, with its line, for each mistake, and for a section that isn't there.
    """
    document = Document(read_text(path), shown(path))
    found = document.convert(dict[str, list[str]])
    for place in found:
        page, _, heading = place.partition("#")
        if page not in pages:
            raise Problem(f"{document.place(place)}: there is no page `{page}`.{nearest(page, pages)}")
        if heading not in pages[page].ids:
            raise Problem(
                f"{document.place(place)}: {pages[page].path} has no heading with the id `{heading}`."
                f"{nearest(heading, pages[page].ids)}"
            )
    return found


def link_texts(pages: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the texts of the links to each place, by its address; `pages` are HTML, by their addresses."""
    found: dict[str, dict[str, None]] = {}
    for page, html in pages.items():
        for address, text in LINK.findall(html):
            found.setdefault(urljoin(page, address), {})[_plain(text)] = None
    return {place: list(filter(None, texts)) for place, texts in found.items()}


def _plain(html: str) -> str:
    return " ".join(TAG.sub(" ", INLINE.sub("", html)).split())


def _words(html: str) -> set[str]:
    return set(re.findall(r"\w+", _plain(html).lower()))


def _searched(entry: dict[str, Any]) -> dict[str, str]:
    """Return what is searched of a section. A message at its beginning is apart: it counts like a title."""
    first = FIRST.match(entry["text"])
    message = _plain(first[1]) if first else ""
    text = entry["text"][first.end() :] if first else entry["text"]
    text = _plain(OUTPUT.sub(lambda output: " ".join(MESSAGE.findall(output[0])), text))
    return {"message": message, "text": _plain(text.replace(message, ""))} if message else {"text": text}


def all_names(
    terms: Iterable[Term],
    elsewhere: Iterable[Term],
    synonyms: Mapping[str, list[str]],
    said: Set[str] = frozenset(),
) -> dict[str, list[str]]:
    """Return what else is typed for the words of the pages: `synonyms`, and of each term all names.

    These are its spellings, including wrong ones, and the same of the terms `elsewhere`, which are those of
    other languages, unless the pages have such a word (`said`); and the synonyms of each. A term of
    another language that the pages have keeps its other names, too.
    """
    found = dict(synonyms)
    same: dict[str, list[str]] = {}
    for other in elsewhere:
        also = [name for name in (*other.others, *other.misspelled) if name.lower() not in said]
        same.setdefault(other.id, []).extend([other.term, *also])
        if also and other.term.lower() in said:
            found[other.term] = list(dict.fromkeys([*found.get(other.term, []), *also]))
    for term in terms:
        names = [term.term, *term.others, *term.misspelled, *same.get(term.id, [])]
        names += [other for name in names for other in synonyms.get(name, [])]
        if others := [name for name in dict.fromkeys(names) if name != term.term]:
            found[term.term] = others
    return found


def enrich(
    index: Path,
    entries: Callable[[list[dict[str, Any]]], list[dict[str, Any]]],
    keywords: Mapping[str, list[str]] = {},
    links: Mapping[str, list[str]] = {},
    typed: Mapping[str, list[str]] = {},
    terms: Iterable[Term] = (),
    elsewhere: Iterable[Term] = (),
    synonyms: Mapping[str, list[str]] = {},
    words: Mapping[str, str] = {},
    is_apart: bool = False,
) -> None:
    """Add to Material's index, and shorten its texts: by address `keywords`, `links` and `typed`; `words`.

    `entries` gets the entries that Material made, and returns those of all pages. Of outputs, only error
    messages stay: people paste them into a search, and not numbers, which would make the index large.
    The synonyms are `all_names` of the glossary's `terms`, and of those `elsewhere`, in other languages.
    `theme/assets/search.js` reads them and `words`, which are `absent`, for a message that no page has,
    `same`, for one that a page has, `nothing`, where nothing fits, and `ask`,
    for a link to a new `issue`. A site without Material's search has no index.
    Material fetches the index with every page. If `is_apart`, the documents move into a file of their own,
    which our search fetches when the reader searches.
    """
    if not index.exists():
        return
    found = json.loads(index.read_text(encoding="utf-8"))
    found["docs"] = [entry | _searched(entry) for entry in entries(found["docs"])]
    for entry in found["docs"]:
        if own := keywords.get(entry["location"]):
            entry["keywords"] = own
        if own := typed.get(entry["location"]):
            entry["typed"] = own
        said = _words(f"{entry['title']} {entry.get('message', '')}")
        if own := [text for text in links.get(entry["location"], []) if _words(text) - said]:
            entry["links"] = own
    said = {word for entry in found["docs"] for word in _words(entry["text"])}
    config = found["config"] | {"synonyms": all_names(terms, elsewhere, synonyms, said), **words}
    if is_apart:
        _write(index.with_name(DOCUMENTS), {"docs": found["docs"], "synonyms": config.pop("synonyms")})
        found["docs"], config["documents"] = [], DOCUMENTS
    _write(index, found | {"config": config})


def _write(path: Path, data: dict[str, Any]) -> None:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str)
    path.write_text(text, encoding="utf-8")
