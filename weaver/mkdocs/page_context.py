"""What templates are told about a page: its dates, its addresses, its other forms, its picture."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.theme import Theme

from weaver.mkdocs import addresses
from weaver.mkdocs.read_project import ReadProject
from weaver.mkdocs.shows import Shows
from weaver.pages.model import Page
from weaver.problem import Problem
from weaver.site import page_facts
from weaver.site.downloads import Entry


def about(
    shows: Shows, entry: Entry, page: MkDocsPage, config: MkDocsConfig, files: Files, is_whole: bool
) -> dict[str, Any]:
    """Return what templates say about a page, which lists know as `entry`: see `page_facts`.

    If it isn't whole, notices are in the place of something, and the page has no other form.
    """
    read, path = shows.read, page.file.src_uri
    site, options = read.site, read.site.options
    own = [Path(page.file.abs_src_path)] if page.file.abs_src_path else []
    changed = site.history.last_change([*own, *(one.path for one in shows.of(path).snippets.values())])
    root = config.extra.get("root") or config.site_url or ""
    owners = [one for one in site.languages if path in site.content.pages[one]] or [entry.language]
    others = page_facts.alternates(root, owners, page.url)
    if entry.is_borrowed:
        page.canonical_url = config.site_url and dict(others)[entry.language]
    folder = [read.language] if site.languages else []
    has_notebook, has_twin = options.notebooks and is_whole, options.twins and is_whole
    notebook = "/".join([*folder, entry.notebook_path]) if has_notebook else None
    address, name = page.canonical_url, (config.site_name, config.site_url)
    return {
        "alternates": others if site.languages else [],
        "borrowed": entry.is_borrowed,
        "card": site.card(read.pages, path, shows.of),
        "changed": changed,
        "commit": site.history.commit,
        "linked_data": page_facts.linked_data(
            *(entry.title, entry.description, address, entry.language),
            *(page.meta.get("keywords", []), changed, others[:-1], name),
        ),
        "locale": read.words["locale"],
        "notebook": entry.notebook if has_notebook else None,
        "colab": page_facts.colab(config.repo_url, options.colab, notebook),
        "report": _report(read, config, path, page.canonical_url),
        "torch": site.torch,
        "twin": "index.md" if config.use_directory_urls and has_twin else None,
        "versions": " ".join(site.recorded),
        "way": addresses.facts(read.way, page, files, read.sections, options.moved),
        "words": read.words,
    }


def _report(read: ReadProject, config: MkDocsConfig, path: str, address: str | None) -> str | None:
    """Return the address of an issue that names the page below what its reader will write."""
    site, page = read.site, read.pages[path]
    known = address or f"{read.language}/{path}"
    commit = site.history.commit and f"commit {site.history.commit}"
    torch = site.torch and f"torch {site.torch}"
    made = ", ".join(filter(None, (page.path, read.language, torch, commit)))
    body = f"{read.words['report_what']}\n\n\n\n---\n{known}\n{made}\n"
    return page_facts.report(config.repo_url, page.title or path, body)


def check_theme(page: Page, meta: Mapping[str, object], theme: Theme) -> None:
    """Raise Problem, with its place, if a page names a template or an icon that the theme doesn't have."""
    for key, where in (("template", ""), ("icon", ".icons")):
        folders = [folder for folder in (Path(one, where) for one in theme.dirs) if folder.is_dir()]
        name = meta.get(key)
        file = name if key == "template" else f"{name}.svg"
        if name is not None and folders and not any((folder / str(file)).is_file() for folder in folders):
            place = page.front.place(page.path, key)
            raise Problem(f"{place}: the theme has no {key} `{name}`. Correct the name.")
