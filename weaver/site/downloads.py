"""The files next to the pages: programs, pictures, Markdown twins, notebooks, and lists for machines."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from weaver.directives.directive import Show
from weaver.execution.cache import key
from weaver.execution.fingerprint import fingerprint
from weaver.execution.labs.model import LabOutcome
from weaver.execution.snippets.source import Snippet
from weaver.pages.model import Page
from weaver.player.page import in_script, starting_at, view_data
from weaver.recording import compact
from weaver.site import notebook, twin
from weaver.site.staging import Write

SECTIONS = "llms-sections.txt"


@dataclass(frozen=True)
class Entry:
    """A page that was built: its title, its description, its address and file, and its language.

    It `is_borrowed` if its language isn't the edition's.
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
        """The name of its notebook, which is next to its file; None if it has no code."""
        return f"{PurePosixPath(self.page.path).stem}.ipynb" if self.page.has_code else None

    @property
    def notebook_path(self) -> str:
        """The path of its notebook, if it has one, in the edition's folder."""
        return str(PurePosixPath(self.file).parent / (self.notebook or ""))


@dataclass(frozen=True)
class Edition:
    """The site in one language: its name, its description, its address, its pages and their license."""

    name: str
    description: str
    root: str
    entries: tuple[Entry, ...]
    licence: str | None = None

    @property
    def own(self) -> list[Entry]:
        """The pages that are in the edition's language."""
        return [one for one in self.entries if not one.is_borrowed]


# Writes what a function returns for a page to a path of the edition
WriteFor = Callable[[Entry, str, Callable[[], str]], None]


def write_programs(write: Write, show: Show) -> None:
    """Write each program, its trace, if it has one, and each picture of a lab that pages show.

    A trace is a script, because a page that is opened from disk can load nothing else.
    """
    for name, snippet in show.snippets.items():
        write(f"snippets/{name}.py", snippet.code, partial(snippet.code.encode))
        if (trace := show.result(name).trace) is not None:
            made_of = snippet.code, snippet.first_line, trace
            write(f"snippets/{name}.trace.js", made_of, partial(_trace, snippet, trace, show))
    for outcome in show.results.values():
        for file, data in outcome.pictures.items() if isinstance(outcome, LabOutcome) else ():
            write(f"snippets/labs/{file}", data, partial(bytes, data))


def _trace(snippet: Snippet, trace: str, show: Show) -> bytes:
    def make() -> str:
        found = starting_at(compact.read(trace), snippet.first_line)
        return f'weaverTrace.add("{snippet.name}", {in_script(view_data(found, snippet.code))});\n'

    known = key(fingerprint("weaver.player.page"), "site", snippet.code, snippet.first_line, trace)
    return show.keep(known, make).encode()


def write_notebooks(write: WriteFor, edition: Edition, show: Callable[[Entry], Show]) -> None:
    """Write the notebook of each page with code next to the page."""
    for entry in edition.entries:
        if entry.notebook:
            # without an address of the site, links are relative to the notebook
            root = edition.root if "://" in edition.root else "../" * entry.url.count("/")
            make = partial(notebook.notebook, entry.page, show(entry), root, entry.url, edition.licence)
            write(entry, entry.notebook_path, make)


def write_twins(write: WriteFor, edition: Edition, show: Callable[[Entry], Show]) -> None:
    """Write each page's Markdown twin next to the page."""
    for entry in edition.entries:
        path = str(PurePosixPath(entry.file).with_name("index.md"))
        write(entry, path, partial(twin.twin, entry.page, show(entry), entry.url))


def sections(edition: Edition) -> str:
    """Return the list of an edition's sections, which would make `llms.txt` too long.

    Of each page it has the title, then the address of each heading.
    """
    text = f"# {edition.name}\n"
    for one in edition.own:
        url = f"{edition.root}{one.url}"
        own = (heading for heading in one.page.headings if heading.id and heading.level > 1)
        items = (f"{'  ' * (under.level - 2)}- [{under.text}]({url}#{under.id})\n" for under in own)
        text += f"\n## [{one.title}]({url})\n\n{''.join(items)}"
    return text


def write_lists(site: Path, name: str, editions: Iterable[Edition]) -> None:
    """Write `llms.txt`, the list of all twins, and `robots.txt`, which says where the sitemaps are.

    The first has the form of llmstxt.org: of each edition its name, its description and its pages.
    """
    listed, robots = f"# {name}\n", "User-agent: *\nAllow: /\n"
    for edition in editions:
        root = edition.root
        listed += f"\n## {edition.name}\n\n{edition.description}\n\n"
        for one in edition.own:
            listed += f"- [{one.title}]({root}{one.url}index.md): {one.description}\n"
        listed += f"- [{SECTIONS}]({root}{SECTIONS}): the address of each section\n"
        if "://" in root:  # robots.txt allows no relative address
            robots += f"Sitemap: {root}sitemap.xml\n"
    Path(site, "llms.txt").write_text(listed, encoding="utf-8")
    Path(site, "robots.txt").write_text(robots, encoding="utf-8")
