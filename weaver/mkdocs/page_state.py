"""What a page came out as, and what says whether the next build of a served site may leave it."""

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from weaver.directives.directive import Show
from weaver.execution.contract import RUNNING
from weaver.mkdocs.page_cache import Entries, Rendered, Woven, digest
from weaver.mkdocs.read_project import ReadProject
from weaver.mkdocs.shows import Shows
from weaver.site import downloads

# Plugins with which a page is made of nothing but its text, its programs, and what is in `made_with`
KNOWN = {"weaver.mkdocs.plugin", "material.plugins.search.plugin", "mkdocs.contrib.search"}
# Where a template shows the moment of the build, or what other pages hold
OTHERS = re.compile(rb"\{[{%][^}%]*(?<![\w.])(?:build_date_utc|pages)\b(?!=)")


@dataclass(frozen=True)
class PageState:
    """A page with its outputs, and what is said of it; `anchors` are HTML, of ids that it once had.

    `show` is what its directives were shown with, `made_of` a digest of the page and of that.
    """

    rendered: Rendered
    woven: Woven
    title: str | None
    meta: dict[str, Any]
    entry: downloads.Entry
    about: dict[str, Any]
    anchors: str
    show: Show
    made_of: str | None


@dataclass(frozen=True)
class Served:
    """A language as it is served: its pages, what the search finds on them, and what all are made with.

    `steady` are the pages that come out the same if nothing they are made of changes, and of which the
    writer isn't told anything.
    """

    made_with: str | None = None
    pages: Mapping[str, PageState] = field(default_factory=dict)
    steady: Set[str] = frozenset()
    entries: Mapping[str, Entries] = field(default_factory=dict)

    @property
    def is_running(self) -> bool:
        """Whether a page lacks what a program has yet to print."""
        return any(RUNNING in state.woven.told for state in self.pages.values())


def made_with(read: ReadProject, config: MkDocsConfig, shows: Shows, site: str | None) -> str | None:
    """Return a digest of all that a page is made of besides its own text and programs.

    `site` is the digest of the settings and files. None if other plugins can change pages, or if a template
    shows what other pages contain.
    """
    if config.hooks or {type(one).__module__ for one in config.plugins.values()} - KNOWN:
        return None
    own = Path(config.theme.custom_dir or config.docs_dir)
    templates = [(str(path), path.read_bytes()) for path in sorted(own.rglob("*.html"))]
    if any(OTHERS.search(template) for _, template in templates):
        return None
    pages = [(path, page.title, page.front.text) for path, page in read.pages.items()]
    owners = [sorted(one) for one in read.site.content.pages.values()]
    asked = [(one.name, at) for one, at in read.way.questions()]
    home = shows.made_of("index.md") if "index.md" in read.pages else ""  # which lends its picture
    return digest(site, templates, pages, owners, asked, home, read.site.history, read.site.torch, read.words)
