"""The files that lie beside the pages: programs, pictures, twins, notebooks, and the lists for machines."""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from weaver import notebook, twin
from weaver.lab import Outcome
from weaver.page import Page
from weaver.snippet import Snippet


@dataclass(frozen=True)
class Entry:
    """A page that was built: its title, what it is about, its address and file below its language."""

    title: str
    description: str
    url: str
    file: str
    page: Page

    @property
    def notebook(self) -> str | None:
        """The name of its notebook, which lies beside its file; None if it has no code."""
        return f"{PurePosixPath(self.page.path).stem}.ipynb" if self.page.has_code else None

    @property
    def notebook_path(self) -> str:
        """The path of its notebook, if it has one, below its language's folder."""
        return str(PurePosixPath(self.file).parent / (self.notebook or ""))


@dataclass(frozen=True)
class Edition:
    """The pages of a language, its name and what it is about, and the address of its folder."""

    language: str
    name: str
    description: str
    root: str
    entries: tuple[Entry, ...]


def write_programs(site: Path, snippets: Mapping[str, Snippet], outcomes: Iterable[Outcome]) -> None:
    """Write each program and each picture of a lab that pages show."""
    for name, snippet in snippets.items():
        path = site / "snippets" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(snippet.code, encoding="utf-8")
    for outcome in outcomes:
        for file, data in outcome.pictures.items():
            path = site / "snippets/labs" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(data))


def write_notebooks(site: Path, edition: Edition, render: notebook.Prose) -> None:
    """Write the notebook of each page that has code beside the page."""
    for entry in edition.entries:
        if entry.notebook:
            text = notebook.notebook(entry.page, render, edition.root, entry.url)
            Path(site, edition.language, entry.notebook_path).write_text(text, encoding="utf-8")


def write_twins(site: Path, edition: Edition, render: twin.Markdown) -> None:
    """Write the Markdown twin of each page beside it."""
    for entry in edition.entries:
        render.programs = "../" * (entry.url.count("/") + 1) + "snippets"
        path = Path(site, edition.language, entry.url, "index.md")
        path.write_text(twin.twin(entry.page, render, entry.url), encoding="utf-8")


def write_lists(site: Path, name: str, root: str, editions: Iterable[Edition]) -> None:
    """Write `llms.txt`, the list of all twins, and `robots.txt`, which says where the sitemaps are."""
    editions = list(editions)
    contents = twin.contents(
        name,
        [
            (
                edition.name,
                edition.description,
                [
                    (entry.title, f"{edition.root}{entry.url}index.md", entry.description)
                    for entry in edition.entries
                ],
            )
            for edition in editions
        ],
    )
    Path(site, "llms.txt").write_text(contents, encoding="utf-8")
    sitemaps = "".join(f"Sitemap: {root}{edition.language}/sitemap.xml\n" for edition in editions)
    Path(site, "robots.txt").write_text(f"User-agent: *\nAllow: /\n{sitemaps}", encoding="utf-8")


def inline_index(folder: Path) -> None:
    """Put a search index into a script, where Material looks for it when the page is a file."""
    index = Path(folder, "search_index.json").read_text(encoding="utf-8")
    Path(folder, "search_index.js").write_text(f"var __index = {index}", encoding="utf-8")
