"""One MkDocs configuration -> one complete MkDocs project per language, and a gate above them."""

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation

from weaver.problem import Problem
from weaver.render.words import WORDS

OURS = ("name", "sections")  # a language's settings that are not MkDocs' own


def make_gate(config: MkDocsConfig, languages: dict[str, dict[str, Any]]) -> None:
    """Leave the outer project only the pages above the languages' folders.

    Raises Problem if a language has no name or is not one whose words we have.
    """
    for language, settings in languages.items():
        if language not in WORDS:
            raise Problem(f"mkdocs.yml: the language `{language}` has no words in weaver/words.py. Add them.")
        if "name" not in settings:
            raise Problem(
                f"mkdocs.yml: the language `{language}` has no name. Write `name: ` in its own words."
            )
    config.nav = None
    config.extra |= _root(config)


def without_languages(files: Files, languages: dict[str, Any]) -> Files:
    """Return `files` without those in the folder of a language."""
    return Files([file for file in files if file.src_uri.split("/")[0] not in languages])


def editions(
    config: MkDocsConfig, languages: dict[str, dict[str, Any]]
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
        edition.theme["language"] = language
        edition.extra["alternate"] = [
            {"lang": other, "name": languages[other]["name"], "link": f"../{other}/"} for other in languages
        ]
        edition.extra |= _root(config)
        edition.mdx_configs.setdefault("toc", {})["permalink_title"] = WORDS[language]["permalink"]
        if edition.edit_uri:
            edition.edit_uri = posixpath.join(edition.edit_uri, language, "")
        yield language, edition


def _root(config):
    """Return what the pages of all projects know of the whole site: its address, its path, its words."""
    return {
        "root": config.site_url,
        "root_path": urlsplit(config.site_url or "/").path or "/",
        "words": WORDS,
    }


def name_sections(nav: Navigation, titles: dict[str, str]) -> None:
    """Give the sections of the navigation, which is written once, their titles in a language."""
    for item in nav.items:
        if item.is_section:
            item.title = titles.get(item.title, item.title)
