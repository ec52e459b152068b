"""An edit of the site that is served: the pages that it changes are made again, and nothing else is."""

import os
from dataclasses import dataclass
from pathlib import Path

from mkdocs.commands.build import _build_page, _populate_page
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import InclusionLevel

from weaver.mkdocs.edition import Edition
from weaver.mkdocs.gate import Gate
from weaver.mkdocs.kept import digest
from weaver.mkdocs.options import Options
from weaver.problem import Problem

SEARCH = "material.plugins.search.plugin"
# Plugins that make of a page nothing but that page, or, as the search, what is put together here
KNOWN = {"weaver.mkdocs.plugin", SEARCH}
Stamps = dict[str, tuple[int, int]]  # of each file, when it was written and how long it is


class WholeSite(Exception):
    """Says why an edit is not one of pages alone: the whole site is to be built."""


@dataclass(frozen=True)
class Served:
    """A build that is served: what it was made by, and the files that it was made of."""

    gate: Gate
    stamps: Stamps

    def takes_edits(self) -> bool:
        """Tell whether nothing but pages can be different on such a site after an edit of a page."""
        config = self.gate.config
        modules = {type(plugin).__module__ for plugin in config.plugins.values()}
        return not config.strict and not config.hooks and not config.extra_templates and modules <= KNOWN

    def stamps_now(self) -> Stamps:
        """Return the stamps of the same files as they are now."""
        return stamps(self.gate.config, self.gate.sources.options)

    def is_current(self) -> bool:
        """Tell whether no file was edited since."""
        return self.stamps == self.stamps_now()

    def edited(self, now: Stamps) -> Gate:
        """Return the gate of what is served once the edits are in it. Raises Problem, or WholeSite."""
        folders = self.gate.config.docs_dir, self.gate.sources.options.snippets
        docs, snippets = (Path(folder).absolute() for folder in folders)
        stayed = self.stamps.keys() & now.keys()
        for path in {path for path, _ in self.stamps.items() ^ now.items()}:
            is_page = path.endswith(".md") and Path(path).is_relative_to(docs) and path in stayed
            if not is_page and not Path(path).is_relative_to(snippets):
                raise WholeSite(f"{path} isn't a page, or is new")
        if not self.gate.sources.kept.is_current():
            raise WholeSite("a file that pages are made from has changed")
        gate = self.gate.again()
        gate.sources.results()
        if _common(gate) != _common(self.gate) or not _look_alike(self.gate, gate):
            raise WholeSite("a heading, a directive or front matter has changed")
        return gate


def stamps(config: MkDocsConfig, options: Options) -> Stamps:
    """Return the stamps of the files that a site is made of."""
    named = options.snippets, options.glossary, options.synonyms, options.words
    found = [config.docs_dir, config.theme.custom_dir, config.config_file_path, *config.watch, *named]
    files = [file for place in filter(None, found) for file in _files(place)]
    return {os.path.abspath(path): (stat.st_mtime_ns, stat.st_size) for path, stat in files}


def _files(place):
    """Yield the file that is at a place, or all that are in that folder, each with what is known of it."""
    if os.path.isfile(place):
        yield place, os.stat(place)
    for entry in os.scandir(place) if os.path.isdir(place) else ():
        if entry.is_dir():
            yield from _files(entry.path)
        elif entry.is_file():
            yield entry.path, entry.stat()


def amend(before: Gate, gate: Gate) -> int:
    """Make again, and write, the pages that are not what they were; return how many those are.

    Raises Problem as a build does, and WholeSite where another page may show what is different.
    """
    sources, site = gate.sources, Path(gate.config.site_dir)
    languages = [project.edition.language for project in before.projects]
    editions = [one.edition for one in gate.projects] or [Edition(sources, one) for one in languages]
    projects = [one.of(edition) for one, edition in zip(before.projects, editions, strict=True)]
    gate.projects.clear()
    number = 0
    for project, one_before in zip(projects, before.projects, strict=True):
        gate.projects.append(project)  # its turn, with the plugins that they share
        edited = [path for path in project.edition.pages if _is_edited(path, one_before, project)]
        if edited:
            _make(project, edited)
        for path in edited:
            folder = Path(project.config.site_dir, project.entries[path].file).parent
            _remove(folder, one_before.scripts[path].keys() - project.scripts[path].keys())
            if project.told[path]:
                _remove(folder, ("index.md", project.entries[path].notebook or "index.md"))
        number += len(edited)
    if _homes(gate) != _homes(before):
        raise WholeSite("the home page's picture, which other pages may show, has changed")
    gate.shelf.hide(site)
    gate.finish()
    sources.kept.add()
    _remove(site, _cards(before) - _cards(gate))
    return number


def _is_edited(path, before, project):
    """Tell whether a page's text is another, or a program that it shows."""
    was, now = before.edition, project.edition
    return any(
        one != other
        for one, other in (
            (was.pages[path], now.pages[path]),
            (was.show_of(path).snippets, now.show_of(path).snippets),
            (was.wrong(path), now.wrong(path)),
        )
    )


def _make(project, paths):
    """Read pages of a project as MkDocs does, put in what came of their programs, and write them."""
    config, files = project.config, project.files
    for name, plugin in config.plugins.items():
        plugin.config = project.settings[name]
    search = next((one for one in config.plugins.values() if type(one).__module__ == SEARCH), None)
    if search:
        search.on_config(config)  # it begins its list of entries
    shown = files.documentation_pages(inclusion=InclusionLevel.is_in_serve)
    pages = {path: files.get_file_from_path(path).page for path in paths}
    if not all(page.file.inclusion.is_included() for page in pages.values()):
        raise WholeSite("a draft has changed")
    seen = [_seen_by_others(page) for page in pages.values()]
    for path, page in pages.items():
        vars(page).clear()
        vars(page).update(project.unread[path])
        _populate_page(page, config, files)
    for page in pages.values():
        project.weave_page(page)
    if project.broken.keys() & pages.keys():  # what is served of it stays
        raise Problem("\n".join(project.broken[path] for path in pages if path in project.broken))
    if [_seen_by_others(page) for page in pages.values()] != seen:
        raise WholeSite("a title, or a place that other pages may link to, has changed")
    for page in pages.values():
        _build_page(page, config, shown, project.nav, project.env)
        page.validate_anchor_links(files=files, log_level=config.validation.links.anchors)
    if search:
        search.on_post_build(config=config)
    project.publish(paths)


def _seen_by_others(page):
    """Return what other pages show of one, by which they are kept, and where they may lead to."""
    return digest(page), page.present_anchor_ids


def _common(gate):
    """Return what all pages may show, and what lies beside them."""
    sources = gate.sources
    return sources.content.labs, sources.content.snippets.keys(), sources.built, sources.history


def _look_alike(before, gate):
    """Tell whether pages are, in what others show or check of them, what they were."""
    pairs = zip(before.sources.content.all_pages(), gate.sources.content.all_pages(), strict=True)
    return all(was is now or _outline(was) == _outline(now) for was, now in pairs)


def _outline(page):
    headings = [(heading.level, heading.text, heading.id) for heading in page.headings]
    return page.front.text, headings, [directive.skeleton for directive in page.directives]


def _homes(gate):
    return [project.about["index.md"]["card"] for project in gate.projects if "index.md" in project.about]


def _cards(gate):
    return {about["card"] for project in gate.projects for about in project.about.values() if about["card"]}


def _remove(folder, names):
    for name in names:
        Path(folder, name).unlink(missing_ok=True)
