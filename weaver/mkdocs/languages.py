"""One MkDocs configuration -> one complete MkDocs project per language, and a gate above them."""

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from copy import copy
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.localization import parse_locale
from mkdocs.structure.files import Files, InclusionLevel, get_files
from mkdocs.structure.nav import Navigation
from mkdocs.theme import Theme
from mkdocs.utils import markdown_extensions

from weaver import schema
from weaver.problem import Problem, nearest, shown
from weaver.site import page_facts
from weaver.site.words import Words

CODE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
DERIVED = ("docs_dir", "site_dir", "site_url", "strict", "use_directory_urls", "plugins", "config_file_path")


class Settings(msgspec.Struct):
    """What a language is called, the titles of its sections, and whether pages of it may not be there yet.

    `fallback` is the language that lends it those: if it names none, the first that has the page.
    Its other settings are MkDocs' own.
    """

    name: str
    sections: dict[str, str] = {}
    partial: bool = False
    fallback: str | None = None
    site_name: str | None = None
    site_description: str | None = None


OURS = ("name", "sections", "partial", "fallback")


def check(config: MkDocsConfig, languages: dict[str, dict[str, Any]]) -> None:
    """Raise Problem for a language's settings that are wrong, or if it has no folder."""
    file = shown(Path(config.config_file_path))
    check_files(Path(config.docs_dir))
    for language, settings in languages.items():
        if not CODE.fullmatch(str(language)):
            raise Problem(f"{file}: `{language}` isn't a language code. Write `en`, or `'no'` in quotes.")
        schema.convert(settings, Settings, lambda *steps: file, ("languages", language))
        for name in settings:
            if name in DERIVED:
                raise Problem(
                    f"{file}: `languages.{language}.{name}` is derived from the site's setting. Remove it."
                )
        folder = Path(config.docs_dir, language)
        if not folder.is_dir():
            raise Problem(f"{file}: the language `{language}` has no folder {shown(folder)}. Create it.")
        fallback = settings.get("fallback")
        if fallback is not None and (fallback == language or fallback not in languages):
            others = nearest(fallback, languages.keys() - {language})
            raise Problem(f"{file}: `languages.{language}.fallback` isn't another language.{others}")


def check_files(docs: Path) -> None:
    """Raise Problem for a name that isn't UTF-8, and for a link to a folder around it, which has no end."""
    for folder, folders, files in os.walk(docs):
        for name in (*folders, *files):
            path = Path(folder, name)
            try:
                name.encode()
            except UnicodeEncodeError:
                raise Problem(f"{shown(path)!a}: the name isn't UTF-8. Rename the file.") from None
            if path.is_symlink() and Path(folder).resolve().is_relative_to(os.path.realpath(path)):
                raise Problem(f"{shown(path)} links to a folder that contains it. Remove the link.")


def of(config: MkDocsConfig) -> str:
    """Return the language of a site that has but one."""
    return config.theme.get("language") or str(config.theme.locale)


def pages(config: MkDocsConfig, folder: Path, drafts: bool) -> list[Path]:
    """Return the pages that MkDocs finds in a folder: none that is hidden or excluded, perhaps drafts."""
    inside = copy(config)
    inside.docs_dir = str(folder.absolute())
    wanted = InclusionLevel.is_in_serve if drafts else InclusionLevel.is_included
    return [Path(folder, file.src_uri) for file in get_files(inside).documentation_pages(inclusion=wanted)]


def check_endings(files: Files) -> None:
    """Raise Problem for a page whose ending isn't in small letters: MkDocs would publish it as it is."""
    for file in files:
        path = Path(file.abs_src_path or file.src_uri)
        small = path.suffix.lower()
        if small in markdown_extensions and small != path.suffix and file.inclusion.is_included():
            raise Problem(
                f"{shown(path)}: MkDocs doesn't treat a `{path.suffix}` file as a page. Write `{small}`."
            )


def projects(
    config: MkDocsConfig, languages: dict[str, dict[str, Any]], words: Mapping[str, Words]
) -> Iterator[tuple[str, MkDocsConfig]]:
    """Yield each language and the configuration of its project: `docs/ko` built to `site/ko`.

    The project has all settings of `config`, and those that `languages` gives for the language
    instead (`site_name`, `site_description`, ...).
    """
    for language, settings in languages.items():
        edition = load_config(
            config_file=config.config_file_path,
            docs_dir=str(Path(config.docs_dir, language)),
            site_dir=str(Path(config.site_dir, language)),
            site_url=config.site_url and posixpath.join(config.site_url, language, ""),
            strict=config.strict,
            use_directory_urls=config.use_directory_urls,
            **{name: value for name, value in settings.items() if name not in OURS},
        )
        edition.theme["language"] = _spoken(edition.theme, language)
        _set_locale(edition.theme, language)
        edition.extra["alternate"] = [
            {"lang": other, "name": languages[other]["name"], "link": f"../{other}/"} for other in languages
        ]
        edition.extra |= root(config, languages, words)
        edition.mdx_configs.setdefault("toc", {})["permalink_title"] = words[language].page["permalink"]
        if edition.edit_uri:
            edition.edit_uri = posixpath.join(edition.edit_uri, language, "")
        yield language, edition


def _spoken(theme: Theme, language: str) -> str:
    """Return a language, or what Material calls it: it has `zh-Hant`, but no `zh-Hant-TW`."""
    folders = [folder for one in theme.dirs if (folder := Path(one, "partials/languages")).is_dir()]
    parts = language.split("-")
    names = ["-".join(parts[:number]) for number in range(len(parts), 0, -1)] if folders else []
    there = (name for name in names if any(Path(one, f"{name}.html").is_file() for one in folders))
    return next(there, "en" if folders else language)


def _set_locale(theme: Theme, language: str) -> None:
    """Have a theme of MkDocs' own speak the language, if it can; that it cannot is no warning."""
    locale = language.replace("-", "_")
    if any(Path(folder, "locales", locale).is_dir() for folder in theme.dirs):
        theme["locale"] = parse_locale(locale)


def borrow(files: Files, config: MkDocsConfig, origins: Mapping[str, str], language: str) -> None:
    """Add the pages that are not there in a language yet, and what lies beside them, from another.

    `origins` maps the path of each page to the language that it is in.
    """
    docs = Path(config.docs_dir).parent
    for other in dict.fromkeys(origins.values()):
        if other == language:
            continue
        inside = copy(config)
        inside.docs_dir = str(docs / other)
        for file in get_files(inside):
            is_wanted = origins.get(file.src_uri) == other or not file.is_documentation_page()
            if is_wanted and not files.get_file_from_path(file.src_uri):
                files.append(file)


def root(
    config: MkDocsConfig, languages: dict[str, dict[str, Any]], words: Mapping[str, Words]
) -> dict[str, Any]:
    """Return what all pages know of the whole site: its address, path and words, and where to ask."""
    return {
        "root": config.site_url,
        "root_path": urlsplit(config.site_url or "/").path or "/",
        "words": {language: words[language].page for language in languages},
        "issue": page_facts.report(config.repo_url, "", ""),
    }


def name_sections(nav: Navigation, titles: dict[str, str]) -> None:
    """Give the sections of the navigation, which is written once, their titles in a language."""
    for item in nav.items:
        if item.is_section:
            item.title = titles.get(item.title, item.title)
