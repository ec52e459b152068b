"""The engine's own words on pages, in each language: those in the site's file, or English."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from weaver import render
from weaver.player.words import ENGLISH as TRACE
from weaver.problem import Problem, nearest, read_text, shown
from weaver.schema import Document
from weaver.why.words import ENGLISH as WHY

ENGLISH = Path(render.__file__).with_name("en.yml")
PAGE = yaml.load(ENGLISH.read_text("utf-8"), yaml.CSafeLoader)["page"]
GROUPS: dict[str, Mapping[str, Any]] = {"page": PAGE, "trace": TRACE, "why": WHY}
KINDS: dict[type, Any] = {str: str, list: list[str], dict: dict[str, str]}
FIELD = re.compile(r"\{#?(\w*)\}")


@dataclass(frozen=True)
class Words:
    """The words on a language's pages, in the player, and of `weaver why`.

    The language's file lacks those in `missing`.
    """

    page: Mapping[str, Any]
    trace: Mapping[str, str]
    why: Mapping[str, str]
    missing: tuple[str, ...] = ()


def words(folder: Path | str | None, language: str) -> Words:
    """Return the words in `<folder>/<language>.yml`, and English ones where the file has none.

    Raises Problem, with its line, for each mistake.
    """
    path = Path(folder or "", f"{language}.yml")
    given = read(path) if folder and path.exists() else {}
    locale = {} if language == "en" else {"locale": language.replace("-", "_")}
    page = PAGE | locale | given.get("page", {})
    trace = TRACE | given.get("trace", {})
    known = {"locale", *(name for group in given.values() for name in group)}
    # where English has nothing, as for particles, most languages don't either
    lacking = [
        name for group in GROUPS.values() for name, said in group.items() if said and name not in known
    ]
    why = WHY | given.get("why", {})
    return Words(page, trace, why, () if language.split("-")[0] == "en" else tuple(dict.fromkeys(lacking)))


def read(path: Path) -> dict[str, dict[str, Any]]:
    """Return the words in a file, by group. Raises Problem, with its line, for each mistake."""
    document = Document(read_text(path), shown(path))
    groups = document.convert(dict[str, dict[str, Any]])
    for group in groups:
        if group not in GROUPS:
            raise Problem(f"{document.place(group)}: unknown section `{group}`.{nearest(group, GROUPS)}")
        for name in groups[group]:
            _check(document, group, name)
    return groups


def _check(document: Document, group: str, name: str) -> None:
    """Raise Problem if the engine has no such word, or if it has another form."""
    place = document.place(group, name)
    if name not in GROUPS[group]:
        raise Problem(f"{place}: unknown key `{name}`.{nearest(name, GROUPS[group])}")
    english = GROUPS[group][name]
    said, called = document.convert(KINDS[type(english)], group, name), f"{place}: `{group}.{name}`"
    if isinstance(english, list) and len(said) != len(english):
        raise Problem(f"{called} has {len(said)} texts, but needs {len(english)}: {english}.")
    if isinstance(english, str):
        known = set(FIELD.findall(english))
        if unknown := [field for field in FIELD.findall(said) if field not in known]:
            raise Problem(f"{called} has no field `{{{unknown[0]}}}`.{nearest(unknown[0], known)}")
        if group == "page" and re.search(r"[{}]", FIELD.sub("", said)):
            raise Problem(f"{called} has a brace that isn't part of a field. Remove it.")
