"""Where a page leads: to the others on the way through all, and from addresses that it once had."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from pathlib import Path
from posixpath import relpath
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils import get_relative_url

from weaver.directives.directive import Asked, Need
from weaver.pages.model import Page
from weaver.pages.way import Way, key
from weaver.problem import Problem, nearest
from weaver.render.wrap import keep_particles
from weaver.site.content_policy import protect

REDIRECT = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>{title}</title>
<link rel="canonical" href="{to}">
<script>location.replace("{to}" + location.hash)</script>
<noscript><meta http-equiv="refresh" content="0; url={to}"></noscript>
</head>
<body><a href="{to}">{title}</a></body>
</html>
"""


def facts(
    way: Way, page: MkDocsPage, files: Files, titles: Mapping[str, str], gone: Mapping[str, str]
) -> dict[str, Any]:
    """Return what is said of a page's place on the way: its stage, what to know before, all for scripts.

    `titles` are those of the sections, `gone` the pages that have another name now. For scripts there is, in
    `data`, what the page is called, where its language begins, what pages were called, and, on the page of
    the way, the questions of each page. A page of all questions has their topics: the sections, with how many
    each has.
    """
    path = page.file.src_uri
    place = way.place(path)
    data: dict[str, Any] = {"page": key(path), "on": bool(place), "root": "../" * page.url.count("/") or "./"}
    data["moved"] = {key(old): key(new) for old, new in gone.items()}
    data["asks"] = Need.QUESTIONS in way.pages[path].needs
    if path == way.at:
        asked = way.questions()
        data["questions"] = {
            key(name): [one.name for one, at in asked if at == name]
            for pages in way.stages.values()
            for name in pages
        }

    lead = partial(address, page.file, files)
    topics = Counter(way.section(at) for _, at in way.questions()) if data["asks"] else {}
    return {
        "data": data,
        "place": place,
        "topics": [(name, titles.get(name, name), number) for name, number in topics.items() if name],
        "stage": place and titles.get(place.stage, place.stage),
        "at": lead(way.at) if place and way.at else None,
        "before": [(keep_particles(title), lead(target)) for title, target in way.before(path)],
    }


def asked(way: Way, path: str, urls: Mapping[str, str]) -> tuple[Asked, ...]:
    """Return all questions for a page that shows them; `urls` are the addresses of the pages."""
    address = partial(get_relative_url, other=urls[path])
    return tuple(
        Asked(question, way.pages[at].title or at, at, address(urls[at]), way.section(at))
        for question, at in way.questions()
    )


def figures(pages: Mapping[str, Page], path: str, urls: Mapping[str, str]) -> dict[str, str]:
    """Return where each program is shown, for links from a page; `urls` are the addresses of the pages."""
    address, found = partial(get_relative_url, other=urls[path]), dict[str, str]()
    for at, page in pages.items():
        for one in page.directives:
            if one.shows_program and one.is_named and at in urls:
                found.setdefault(one.name, f"{address(urls[at])}#{one.name}")
    return found


def pages(path: str, urls: Mapping[str, str]) -> dict[str, str]:
    """Return where each page is, by its name without `.md`, for links from a page."""
    return {at.removesuffix(".md"): get_relative_url(url, urls[path]) for at, url in urls.items()}


def address(own: File, files: Files, target: str) -> str:
    """Return the way from a page to a target such as `leaf.md` or `leaf.md#who`."""
    name, _, id = target.partition("#")
    file = files.get_file_from_path(name)
    assert file, name  # checked before
    return file.url_relative_to(own) + (id and f"#{id}")


def check(gone: Mapping[str, str], pages: Mapping[str, Page]) -> None:
    """Raise Problem if a page of `moved` in mkdocs.yml is still there, or has moved to where none is."""
    for old, new in gone.items():
        if old.startswith("/") or ".." in old.split("/"):
            raise Problem(f"mkdocs.yml: `moved` has `{old}`, which isn't below `docs_dir`. Remove it.")
        if old in pages:
            raise Problem(f"mkdocs.yml: `moved` has `{old}`, which is still a page. Remove it from `moved`.")
        if not re.fullmatch(r"[\w./-]+\.md", old):
            raise Problem(f"mkdocs.yml: `moved` has `{old}`, which was never a page. Remove it.")
        if new not in pages:
            raise Problem(
                f"mkdocs.yml: `{old}` moved to `{new}`, but there is no such page.{nearest(new, pages)}"
            )


def redirect(
    site: Path, gone: Mapping[str, str], pages: Mapping[str, Page], file: Callable[[str], str], language: str
) -> None:
    """Write a page at each address that a page once had; `file` returns the path of a page's file."""
    for old, new in gone.items():
        stem = old.removesuffix(".md")
        path = f"{stem}/index.html" if file(new).endswith("index.html") else f"{stem}.html"
        target = relpath(file(new), str(Path(path).parent)).removesuffix("index.html")
        title = escape(pages[new].title or new)
        text = REDIRECT.format(language=language, title=title, to=escape(target))
        Path(site, path).parent.mkdir(parents=True, exist_ok=True)
        Path(site, path).write_text(protect(text), encoding="utf-8")
