"""The files that lie beside the pages: programs, pictures, twins, notebooks, and the lists for machines."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from weaver.directives.show import Show
from weaver.execution.cache import key
from weaver.execution.fingerprint import fingerprint
from weaver.execution.labs.model import LabOutcome
from weaver.execution.snippets.source import Snippet
from weaver.pages.model import Page
from weaver.site import notebook, twin
from weaver.site.shelf import Shelf
from weaver.trace import compact
from weaver.trace.page import in_script, starting_at, view_data


@dataclass(frozen=True)
class Entry:
    """A page that was built: its title, what it is about, its address and file, its language.

    It `is_borrowed` if that is not the edition's.
    """

    title: str
    description: str
    url: str
    file: str
    page: Page
    language: str
    is_borrowed: bool = False

    @property
    def notebook(self) -> str | None:
        """The name of its notebook, which lies beside its file; None if it has no code."""
        return f"{PurePosixPath(self.page.path).stem}.ipynb" if self.page.has_code else None

    @property
    def notebook_path(self) -> str:
        """The path of its notebook, if it has one, below the edition's folder."""
        return str(PurePosixPath(self.file).parent / (self.notebook or ""))


@dataclass(frozen=True)
class Edition:
    """The site in one language: its name, what it is about, its address, its pages, their licence."""

    name: str
    description: str
    root: str
    entries: tuple[Entry, ...]
    licence: str | None = None


# Returns what `make()` gives for the page, or gave when nothing was different
Keep = Callable[[Entry, Callable[[], str]], str]


def write_programs(shelf: Shelf, snippets: Mapping[str, Snippet], outcomes: Iterable[LabOutcome]) -> None:
    """Write each program and each picture of a lab that pages show."""
    for name, snippet in snippets.items():
        shelf.put(f"{name}.py", snippet.code, partial(snippet.code.encode))
    for outcome in outcomes:
        for file, data in outcome.pictures.items():
            shelf.put(f"labs/{file}", data, partial(bytes, data))


def write_traces(shelf: Shelf, snippets: Iterable[Snippet], show: Show) -> None:
    """Write beside each program its trace, if it has one: a script, as nothing else is read from a disk."""
    for snippet in snippets:
        if (trace := show.results[snippet.name].trace) is not None:
            made_of = snippet.code, snippet.first_line, trace
            shelf.put(f"{snippet.name}.trace.js", made_of, partial(_kept_trace, snippet, trace, show))


def _kept_trace(snippet, trace, show):
    known = key(fingerprint("weaver.trace.page"), "site", snippet.code, snippet.first_line, trace)
    return show.keep(known, partial(_trace, snippet, trace)).encode()


def _trace(snippet, trace):
    found = starting_at(compact.read(trace), snippet.first_line)
    data = in_script(view_data(found, snippet.code))
    return f'weaverTrace.add("{snippet.name}", {data});\n'


def write_notebooks(site: Path, edition: Edition, show: Callable[[Entry], Show], keep: Keep) -> None:
    """Write beside each page with code its notebook; `site` is the folder of the edition."""
    for entry in edition.entries:
        if entry.notebook:
            # without an address of the site, links lead from where the notebook lies
            root = edition.root if "://" in edition.root else "../" * entry.url.count("/")
            make = partial(notebook.notebook, entry.page, show(entry), root, entry.url, edition.licence)
            path = Path(site, entry.notebook_path)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(keep(entry, make), encoding="utf-8")


def write_twins(site: Path, edition: Edition, show: Callable[[Entry], Show], keep: Keep) -> None:
    """Write beside each page its Markdown twin."""
    for entry in edition.entries:
        path = Path(site, entry.file).with_name("index.md")
        make = partial(twin.twin, entry.page, show(entry), entry.url)
        path.write_text(keep(entry, make), encoding="utf-8")


def write_lists(site: Path, name: str, editions: Iterable[Edition]) -> None:
    """Write `llms.txt`, the list of all twins, and `robots.txt`, which says where the sitemaps are."""
    listed, robots = [], "User-agent: *\nAllow: /\n"
    for edition in editions:
        own = [one for one in edition.entries if not one.is_borrowed]
        twins = [(one.title, f"{edition.root}{one.url}index.md", one.description) for one in own]
        listed.append((edition.name, edition.description, twins))
        if "://" in edition.root:  # robots know no other
            robots += f"Sitemap: {edition.root}sitemap.xml\n"
    Path(site, "llms.txt").write_text(twin.contents(name, listed), encoding="utf-8")
    Path(site, "robots.txt").write_text(robots, encoding="utf-8")


def inline_index(folder: Path) -> None:
    """Put a search index, if there is one, into a script: Material looks for that when the page is a file."""
    index = Path(folder, "search_index.json")
    if index.exists():
        text = f"var __index = {index.read_text(encoding='utf-8')}"
        Path(folder, "search_index.js").write_text(text, encoding="utf-8")
