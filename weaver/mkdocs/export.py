"""The pages with all that their directives show as plain Markdown and HTML, for any other generator."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import yaml
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, get_files

from weaver.execution.cache import Cache
from weaver.execution.labs.runner import Labs
from weaver.execution.snippets.runner import Runner
from weaver.mkdocs import languages
from weaver.mkdocs.assets import engine_assets
from weaver.mkdocs.formula import BLOCK, INLINE, Locate, convert
from weaver.mkdocs.placeholders import Placeholders
from weaver.mkdocs.progress import Progress
from weaver.mkdocs.read_project import ReadProject
from weaver.mkdocs.read_site import ReadSite
from weaver.mkdocs.shows import Shows
from weaver.pages.code_spans import apart
from weaver.pages.published import MARKS
from weaver.problem import Problem, shown
from weaver.site import downloads, staging
from weaver.site.twin import pieces, with_admonitions

TOKENS = re.compile(r"(<[^<>]*>)")
MARKUP = re.compile(r"&#?\w+;|[\\`*_{}\[\]+|~:=^$@]")  # what some Markdown takes for its own, but no entity
MARK = re.compile(f"<mi>([{MARKS}])</mi>|([{MARKS}])")
# a link or picture, or the address of one below the text, that leads to a file beside the page
LINK = re.compile(r"(\]\(<?|^ {0,3}\[[^\]^\n]+\]:[ \t]*<?)(?![\w+.-]+:|[/#])([^)\s#>]+)", re.MULTILINE)
FORMULA = re.compile(f"{BLOCK}|{INLINE}", re.DOTALL)
OPEN, CLOSE = re.compile(r"<(section|details)\b"), re.compile("</(section|details)>")


def weave(configuration: Path, target: Path) -> int:
    """Write into the folder `target` a project per language, and return how many pages they have.

    Each has a folder `docs` with its pages and all that they ask for, and a `mkdocs.yml` without plugins.
    Raises Problem as a build does, and if the folder holds something.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise Problem(f"{shown(target)} is not empty. Give another folder, or empty it.")
    config = load_config(str(configuration))
    if "weaver" not in config.plugins:
        raise Problem(f"{shown(configuration)}: `weaver` is not among the plugins. Add it.")
    options = config.plugins["weaver"].config
    cache = configuration.absolute().parent / options.cache
    labs = Labs(cache, options.lab_limit)
    with Runner(cache, options.limit) as runner:
        try:
            site = ReadSite(config, options, runner, labs, Cache(cache), False, Progress())
            projects = list(languages.projects(config, options.languages, site.words))
            named = projects or [(languages.of(config), config)]
            read = [(ReadProject(site, name), project) for name, project in named]
            _ = site.results
        finally:
            labs.close()
        return sum(
            _project(one, project, target / one.language if projects else target) for one, project in read
        )


def _project(read: ReadProject, config: MkDocsConfig, folder: Path) -> int:
    """Write the project of one language; return how many pages it has."""
    docs, entries = folder / "docs", list[downloads.Entry]()
    config.use_directory_urls = True  # a page lies where its address is, so that links lead right from both
    files = get_files(config)
    read.borrow(files, config)
    shows = Shows(read, {file.src_uri: file.url for file in files.documentation_pages()})
    for file in files:
        path, source = docs / _place(file.src_uri), Path(file.abs_src_path or "")
        if not (file.inclusion.is_included() and source.is_file()):
            continue
        if not file.is_documentation_page():
            _write(path, source.read_bytes())
            continue
        entry = _entry(read, file)
        text, scripts = _page(shows, entry, file.src_uri)
        _write(path, text.encode())
        for name, script in scripts.items():
            _write(Path(docs, entry.file).with_name(name), script.encode())
        entries.append(entry)
    for name, content in {**_theme_files(config), **engine_assets(read.trace_words)}.items():
        _write(docs / name, content)
    downloads.write_programs(partial(staging.write, docs), shows.whole(read.language))
    published = downloads.Edition(config.site_name, "", config.site_url or "", tuple(entries))
    downloads.write_notebooks(
        lambda entry, path, make: _write(docs / path, make().encode()),
        *(published, lambda entry: shows.whole(entry.language)),
    )
    text = yaml.safe_dump(_settings(read, config), allow_unicode=True, sort_keys=False)
    (folder / "mkdocs.yml").write_text(text, encoding="utf-8")
    return len(entries)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _place(path: str) -> str:
    """Return where a page or file is written: `leaf.md` as `leaf/index.md`."""
    stem, ending = posixpath.splitext(path)
    is_page = ending in (".md", ".markdown")
    if is_page and posixpath.basename(stem) not in ("index", "README"):
        return f"{stem}/index.md"
    return posixpath.join(posixpath.dirname(path), "index.md") if is_page else path


def _linked(text: str, path: str) -> str:
    """Return prose in which the links of the page `path` lead to where what they name is written."""
    here = posixpath.dirname(_place(path)) or "."

    def link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[2]))
        return f"{match[1]}{posixpath.relpath(_place(target), here)}"

    return LINK.sub(link, text)


def _entry(read: ReadProject, file: File) -> downloads.Entry:
    page = read.pages[file.src_uri]
    origin = read.origin(file.src_uri)
    title = page.title or file.name
    url = "" if file.url == "./" else file.url
    return downloads.Entry(title, "", url, file.dest_uri, page, origin, origin != read.language)


def _page(shows: Shows, entry: downloads.Entry, path: str) -> tuple[str, dict[str, str]]:
    """Return a page as Markdown in which what directives show is HTML on one line, and its scripts."""
    show = shows.of(path).at("../" * entry.url.count("/") + "snippets")
    marks = Placeholders(entry.page)
    spans = _spans(_framed(marks.set(show)))
    text = "".join(
        piece if is_code else _formulas(_linked(piece, path), marks.locate) for is_code, piece in spans
    )

    def put(match: re.Match[str]) -> str:
        mark = match[1] or match[2]
        directive = marks.at(mark)
        return one_line(marks.html(directive, show, mark, bool(match[1]))) if directive else match[0]

    text = MARK.sub(put, text).lstrip("\n")
    if entry.notebook:
        label = escape(show.words["notebook"])
        text += f'\n<p class="take"><a href="{entry.notebook}" download>{label}</a></p>\n'
    if entry.is_borrowed:
        notice = f'<p class="borrowed">{escape(shows.read.notice(path))}</p>'
        text = f'{notice}\n\n<div lang="{entry.language}" markdown="1">\n\n{text}\n\n</div>\n'
    return entry.page.front.text + text, marks.scripts


def _framed(text: str) -> str:
    """Return Markdown with each admonition as a `div` that holds Markdown, as every generator has it."""

    def frame(admonition: re.Match[str], body: str, _: bool) -> str:
        kinds = re.sub(r"\"[^\"]*\"", "", admonition[0]).strip(" !?+\n")
        title = admonition["title"] or kinds.split()[0].capitalize()
        head = re.sub("`([^`]+)`", r"<code>\1</code>", escape(title))
        return (
            f'<div class="admonition {kinds}" markdown="1">\n\n'
            f'<p class="admonition-title">{one_line(head)}</p>\n\n{_framed(body)}\n\n</div>\n\n'
        )

    return with_admonitions(text, frame)


def _spans(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the pieces of a page, each with whether it is code."""
    for is_code, piece in pieces(text):
        if is_code:
            yield True, piece
        else:
            yield from apart(piece)


def _formulas(text: str, locate: Locate) -> str:
    def put(match: re.Match[str]) -> str:
        display = "block" if match[1] else "inline"
        return one_line(convert(match, match[1] or match[2], display, locate))

    return FORMULA.sub(put, text)


def _theme_files(config: MkDocsConfig) -> dict[str, bytes]:
    """Return the site's own styles, scripts and pictures, which its theme's folder has, by their paths."""
    folder = Path(config.theme.custom_dir or config.docs_dir, "assets")
    return {
        path.relative_to(folder.parent).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _settings(read: ReadProject, config: MkDocsConfig) -> dict[str, Any]:
    """Return what `mkdocs.yml` says where no plugin is needed."""
    extensions = [name for name in config.markdown_extensions if not name.startswith("weaver.")]
    theme: dict[str, Any] = {"language": read.language}
    for name in ("palette", "features", "icon", "font", "favicon"):
        if config.theme.get(name) is not None:
            theme[name] = config.theme[name]
    return {
        "site_name": config.site_name,
        "site_description": config.site_description or "",
        **({"site_url": config.site_url} if config.site_url else {}),
        **({"nav": _named(config.nav, read.sections)} if config.nav else {}),
        "theme": theme,
        "markdown_extensions": [
            {name: config.mdx_configs[name]} if config.mdx_configs.get(name) else name
            for name in dict.fromkeys([*extensions, "attr_list", "md_in_html", "tables"])
        ],
        "extra_css": ["assets/weaver.css", *config.extra_css],
        "extra_javascript": ["assets/weaver.js", *map(str, config.extra_javascript)],
    }


def _named(nav: Any, sections: Mapping[str, str]) -> Any:
    """Return the navigation with the titles of its sections, and pages where they are written."""
    if isinstance(nav, str):
        return nav if "://" in nav else _place(nav)
    if isinstance(nav, dict):
        return {sections.get(name, name): _named(items, sections) for name, items in nav.items()}
    return [_named(one, sections) for one in nav]


def one_line(html: str) -> str:
    """Return HTML that any Markdown leaves as it is: on one line, none of its text a mark of Markdown.

    What it opens and does not close holds Markdown, for Python's `md_in_html`; others see that by the
    empty lines around it.
    """
    made, opened, depth = list[str](), list[int](), 0
    for number, piece in enumerate(TOKENS.split(html)):
        if number % 2:
            depth += piece.startswith("<pre") - piece.startswith("</pre")
            if OPEN.match(piece):
                opened.append(number)
            elif CLOSE.match(piece) and opened:
                opened.pop()
            made.append(piece.replace("\n", " "))
        else:
            text = MARKUP.sub(lambda mark: mark[0] if mark[0][1:] else f"&#{ord(mark[0])};", piece)
            made.append(text.replace("\n", "&#10;" if depth or piece.strip() else " "))
    for number in opened:
        made[number] = OPEN.sub(r'<\1 markdown="1"', made[number])
    return "".join(made)
