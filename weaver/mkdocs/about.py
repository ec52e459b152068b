"""What is said of a page beside its text: its dates, its addresses, its other forms, its picture."""

from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page as MkDocsPage

from weaver.mkdocs import addresses
from weaver.mkdocs.edition import Edition
from weaver.site import page_facts
from weaver.site.downloads import Entry


def about(
    edition: Edition, entry: Entry, page: MkDocsPage, config: MkDocsConfig, files: Files
) -> dict[str, Any]:
    """Return what templates say of a page of an edition, of which lists say `entry`: see `page_facts`."""
    sources, path = edition.sources, page.file.src_uri
    options = sources.options
    used = {snippet.path for snippet in edition.show_of(path).snippets.values()}
    own = [Path(page.file.abs_src_path)] if page.file.abs_src_path else []
    changed = sources.history.last_change([*own, *used])
    root = config.extra.get("root") or config.site_url or ""
    owners = [one for one in sources.languages if path in sources.content.pages[one]] or [entry.language]
    others = page_facts.alternates(root, owners, page.url)
    if entry.is_borrowed:
        page.canonical_url = config.site_url and dict(others)[entry.language]
    folder = [edition.language] if sources.languages else []
    notebook = "/".join([*folder, entry.notebook_path]) if options.notebooks else None
    said = entry.title, entry.description, page.canonical_url, entry.language
    return {
        "alternates": others if sources.languages else [],
        "borrowed": entry.is_borrowed,
        "card": sources.card(edition.pages, path, edition.show_of),
        "changed": changed,
        "commit": sources.history.commit,
        "linked_data": page_facts.linked_data(
            *(*said, page.meta.get("keywords", []), changed),
            *(others[:-1], (config.site_name, config.site_url)),
        ),
        "locale": edition.words["locale"],
        "notebook": entry.notebook if options.notebooks else None,
        "colab": page_facts.colab(config.repo_url, options.colab, notebook),
        "report": _report(edition, config, path, page.canonical_url),
        "torch": sources.torch,
        "twin": "index.md" if config.use_directory_urls and options.twins else None,
        "way": addresses.facts(edition.way, page, files, edition.sections, options.moved),
        "words": edition.words,
    }


def _report(edition, config, path, address):
    """Return the address of an issue that says of a page what it is, below what its reader will write."""
    sources, page = edition.sources, edition.pages[path]
    known = address or f"{edition.language}/{path}"
    commit = sources.history.commit and f"commit {sources.history.commit}"
    torch = sources.torch and f"torch {sources.torch}"
    made = ", ".join(filter(None, (page.path, edition.language, torch, commit)))
    body = f"{edition.words['report_what']}\n\n\n\n---\n{known}\n{made}\n"
    return page_facts.report(config.repo_url, page.title or path, body)
