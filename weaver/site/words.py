"""The words of a language that the engine itself puts on pages: those of a site's file, else English."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weaver.problem import Problem, nearest, shown
from weaver.render.words import ENGLISH as PAGE
from weaver.schema import Document
from weaver.trace.words import ENGLISH as TRACE

GROUPS: dict[str, Mapping[str, Any]] = {"page": PAGE, "trace": TRACE}
KINDS = {str: str, tuple: list[str], dict: dict[str, str]}
FIELD = re.compile(r"\{#?(\w*)\}")


@dataclass(frozen=True)
class Words:
    """The words on a language's pages, and those of the view of a trace.

    `missing` are those that are English because the language's file lacks them.
    """

    page: Mapping[str, Any]
    trace: Mapping[str, str]
    missing: tuple[str, ...] = ()


def words(folder: Path | None, language: str) -> Words:
    """Return the words of `<folder>/<language>.yml`, and English ones for what is not there.

    Raises Problem, with its line, for each mistake.
    """
    path = folder and folder / f"{language}.yml"
    given = read(path) if path and path.exists() else {}
    locale = {} if language == "en" else {"locale": language.replace("-", "_")}
    page = PAGE | locale | given.get("page", {})
    trace = TRACE | given.get("trace", {})
    known = {"locale", *(name for group in given.values() for name in group)}
    lacking = [name for group in GROUPS.values() for name in group if name not in known]
    return Words(page, trace, () if language.split("-")[0] == "en" else tuple(dict.fromkeys(lacking)))


def read(path: Path) -> dict[str, dict[str, Any]]:
    """Return what a file has of the words on pages and of the words of traces."""
    try:
        document = Document(path.read_text(encoding="utf-8-sig"), shown(path))
    except UnicodeDecodeError as error:
        raise Problem(f"{shown(path)}: byte {error.start} is not UTF-8. Save the file as UTF-8.") from None
    except OSError as error:
        raise Problem(f"{shown(path)} can't be read: {error.strerror}. Replace it with a file.") from None
    groups = document.convert(dict[str, dict[str, Any]])
    for group in groups:
        if group not in GROUPS:
            raise Problem(f"{document.place(group)}: unknown section `{group}`.{nearest(group, GROUPS)}")
        for name in groups[group]:
            _check(document, group, name)
    return groups


def _check(document, group, name):
    """Raise Problem if a word is none of the engine's, or not of its form."""
    place = document.place(group, name)
    if name not in GROUPS[group]:
        raise Problem(f"{place}: unknown key `{name}`.{nearest(name, GROUPS[group])}")
    english = GROUPS[group][name]
    said, called = document.convert(KINDS[type(english)], group, name), f"{place}: `{group}.{name}`"
    if isinstance(english, tuple) and len(said) != len(english):
        raise Problem(f"{called} has {len(said)} texts, but needs {len(english)}: {english}.")
    if isinstance(english, str):
        known = set(FIELD.findall(english))
        if unknown := [field for field in FIELD.findall(said) if field not in known]:
            raise Problem(f"{called} has no field `{{{unknown[0]}}}`.{nearest(unknown[0], known)}")
        if group == "page" and re.search(r"[{}]", FIELD.sub("", said)):
            raise Problem(f"{called} has a brace that isn't part of a field. Remove it.")
