"""The files next to the pages of a project: what the search finds, notebooks, twins, redirects."""

import logging
import posixpath
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from weaver.execution.contract import RUNNING
from weaver.mkdocs import addresses
from weaver.mkdocs.built_project import BuiltProject
from weaver.mkdocs.page_cache import Entries
from weaver.site import downloads, page_facts, search_index
from weaver.site.staging import Write

log = logging.getLogger("mkdocs.plugins.weaver")


def publish(project: BuiltProject, write: Write) -> downloads.Edition:
    """Write what is next to a project's pages by `write`; return what lists say of the pages."""
    config, read, options = project.config, project.read, project.read.site.options
    pages = {state.entry.url: state for state in project.pages.values()}
    told = [one for state in pages.values() for one in state.woven.told]
    for sentence in dict.fromkeys([*project.broken.values(), *told]):
        if sentence and sentence != RUNNING and sentence not in read.site.failures.values():
            log.error(sentence)
    site = Path(config.site_dir)
    _write_index(project, site)
    files = {path: state.entry.file for path, state in project.pages.items()}
    addresses.redirect(site, options.moved, read.pages, files.__getitem__, read.language)
    description, root = config.site_description or "", config.site_url or read.root
    entries, licence = tuple(state.entry for state in pages.values()), config.extra.get("license")
    published = downloads.Edition(config.site_name, description, root, entries, licence)
    whole = replace(published, entries=tuple(one for one in entries if not pages[one.url].woven.told))

    def write_for(entry: downloads.Entry, path: str, make: Callable[[], str]) -> None:
        facts = path, pages[entry.url].made_of, [root, licence], entry.url
        kept = lambda: project.cache.keep("beside", str, make, *facts)  # noqa: E731
        write(read.root + path, project.cache.key("beside", *facts), lambda: kept().encode())

    if options.notebooks:
        downloads.write_notebooks(write_for, whole, lambda entry: pages[entry.url].show)
    for state in pages.values():
        for name, text in state.woven.scripts.items():
            path = posixpath.join(posixpath.dirname(state.entry.file), name)
            write(read.root + path, text, partial(text.encode))
    if config.use_directory_urls and options.twins:
        downloads.write_twins(write_for, whole, lambda entry: pages[entry.url].show)
        sections = downloads.sections(published)
        write(read.root + downloads.SECTIONS, sections, sections.encode)
    return published


def _write_index(project: BuiltProject, site: Path) -> None:
    """Write what the search finds."""
    read, index, states = project.read, site / "search/search_index.json", project.pages.values()
    keywords = {state.entry.url: state.meta.get("keywords", []) for state in states}
    typed = {
        f"{state.entry.url}#{id}": found
        for path, state in project.pages.items()
        for id in state.entry.page.ids
        if (found := read.site.typed[read.language].get(f"{path}#{id}"))
    }
    links = search_index.link_texts({state.entry.url: state.woven.content for state in states})
    words = {name: read.words[name] for name in ("absent", "same", "nothing", "ask")}
    if issue := page_facts.report(project.config.repo_url, "", ""):
        words["issue"] = issue

    def entries(found: Entries) -> Entries:
        project.search.add(found)
        return [entry for url in keywords for entry in project.search.of.get(url, [])]

    elsewhere = [term for other, terms in read.site.terms.items() if other != read.language for term in terms]
    # Material's own search knows one file, and so does a page that is opened from disk
    is_apart = "assets/search.js" in project.config.extra["hashed"] and not read.site.options.offline
    search_index.enrich(
        *(index, entries, keywords, links, typed, read.terms, elsewhere, read.site.synonyms, words, is_apart)
    )
    if read.site.options.offline and index.exists():  # as a script, which Material loads on a local page
        script = f"var __index = {index.read_text(encoding='utf-8')}"
        index.with_suffix(".js").write_text(script, encoding="utf-8")
