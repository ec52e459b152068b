"""What the search knows beside the text: the keywords of the pages, and other words for theirs."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from weaver.pages.glossary import Term
from weaver.problem import Problem, shown
from weaver.schema import Document

OUTPUT = re.compile("<pre>.*?</pre>", re.DOTALL)
MARKUP = re.compile(r"</?(?:code|strong|em|a|span|div|figure)\b[^>]*>")
FIRST = re.compile(r"\s*<p>\s*<code>(.*?)</code>\s*</p>", re.DOTALL)
LONGEST = 800  # characters that are searched of a section, beside its messages
MESSAGE = re.compile(r"\b\w+(?:Error|Warning): [^\n<]*")
DOCUMENTS = "documents.json"


def read_synonyms(path: Path) -> dict[str, list[str]]:
    """Return other words for those of the pages. Raises Problem, with its line, for each mistake."""
    try:
        document = Document(path.read_text(encoding="utf-8-sig"), shown(path))
    except UnicodeDecodeError as error:
        raise Problem(f"{shown(path)}: byte {error.start} is not UTF-8. Save the file as UTF-8.") from None
    return {word: document.convert(list[str], word) for word in document.convert(dict[str, Any])}


def _searched(text: str) -> str:
    """Return what is searched of a section's HTML: its words without marks, as many as a reader types of."""
    text = MARKUP.sub("", OUTPUT.sub(lambda output: " ".join(MESSAGE.findall(output[0])), text))
    if len(text) <= LONGEST:
        return text
    end = text.rfind(" ", 0, LONGEST)
    return " ".join([text[:end], *MESSAGE.findall(text[end:])])


def _told(entry):
    """Return what is searched of a section; apart, the message that it begins with, as heavy as a title."""
    first = FIRST.match(entry["text"])
    if not first:
        return {"text": _searched(entry["text"])}
    return {"message": MARKUP.sub("", first[1]), "text": _searched(entry["text"][first.end() :])}


def _keywords(entry, keywords):
    words = keywords.get(entry["location"])
    return {"keywords": words} if words else {}


def enrich(
    index: Path,
    entries: Callable[[list[dict[str, Any]]], list[dict[str, Any]]],
    keywords: dict[str, list[str]],
    terms: Iterable[Term] = (),
    synonyms: Mapping[str, list[str]] = {},
) -> None:
    """Add to Material's index `keywords`, those of the page at each address, and the synonyms.

    `entries` are given those that Material has made, shortened, and returns those of all pages.

    Of outputs only messages stay: they get pasted into a search; numbers do not, and would make the
    index large. Of a long section stay its beginning and its messages. The message
    that a section begins with stays apart as well. The synonyms are those given, and
    the other spellings in the glossary's `terms`, also the wrong ones. `theme/assets/search.js` reads
    them; a site without Material's search has no index.
    """
    if not index.exists():
        return
    found = json.loads(index.read_text(encoding="utf-8"))
    shortened = [entry | _told(entry) for entry in found["docs"]]
    found["docs"] = [entry | _keywords(entry, keywords) for entry in entries(shortened)]
    synonyms = dict(synonyms)
    known = {other for others in synonyms.values() for other in others}
    for term in terms:
        others = [other for other in (*term.others, *term.misspelled) if other not in known]
        if others:
            synonyms[term.term] = [*synonyms.get(term.term, []), *others]
    found["config"]["synonyms"] = synonyms
    _write(index, found)


def put_apart(index: Path, words: Mapping[str, str]) -> None:
    """Leave in the index, which Material fetches with every page, where the documents are; put them there.

    For a search of ours, which fetches them when the reader asks. Of its `words`, `absent` is what it says
    of a message that no page has, `same` what of one that a page has.
    """
    if not index.exists():
        return
    found = json.loads(index.read_text(encoding="utf-8"))
    documents = {"docs": found["docs"], "synonyms": found["config"].pop("synonyms")}
    found["config"] |= {"documents": DOCUMENTS, **words}
    _write(index.with_name(DOCUMENTS), documents)
    _write(index, found | {"docs": []})


def _write(path, data):
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str)
    path.write_text(text, encoding="utf-8")
