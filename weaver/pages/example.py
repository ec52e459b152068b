"""A new snippet: its program, and its line at the end of the page in each language."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from weaver.execution.launch import has_torch
from weaver.execution.snippets.result import Result
from weaver.execution.snippets.source import ALLOWED, NAME, Snippet
from weaver.pages.expected import complaints, outputs
from weaver.problem import Problem, read_text, shown

TORCH = """import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**2
y.backward()
print(f"{x.grad = }")
"""
PLAIN = """x = 3.0
print(f"{x**2 = }")
"""


Run = Callable[[Path], tuple[Snippet, list[Result]]]


def add(name: str, folder: Path, docs: Path, run: Run) -> list[Path]:
    """Write a new snippet, its expected output and its line on the pages; return all these files.

    `run` gives the snippet at a path, and what comes of it. Raises Problem or OSError; then everything is
    as it was.
    """
    after = lines(name, folder, docs)
    path = folder / f"{name}.py"
    pages = {page: page.read_bytes() for page in after}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((TORCH if has_torch() else PLAIN).encode())
        snippet, results = run(path)
        if wrong := complaints(snippet, results):
            raise Problem(" ".join(wrong))
        snippet.expected_path.write_bytes(outputs(snippet, results).encode())
        for page, data in after.items():
            page.write_bytes(data)
    except BaseException:
        for page, data in pages.items():
            if page.read_bytes() != data:
                page.write_bytes(data)
        with suppress(OSError):  # what was in the way of a file or folder stays
            for file in (path, path.with_suffix(".out")):
                file.unlink(missing_ok=True)
            path.parent.rmdir()
        raise
    return [path, snippet.expected_path, *pages]


def lines(name: str, folder: Path, docs: Path) -> dict[Path, bytes]:
    """Return what the pages hold with a line that shows the snippet: the page in `docs`, or each language's.

    Nothing is written. Raises Problem for a name that is none or taken, and for a page that is missing or
    can't be read.
    """
    if not NAME.fullmatch(name):
        raise Problem(f"`{name}` isn't a snippet's name. Write `page/what_it_shows`, {ALLOWED}.")
    path, topic = folder / f"{name}.py", name.split("/")[0]
    for one in (path, path.with_suffix(".out")):
        if one.exists():
            raise Problem(f"{shown(one)} already exists. Choose another name, or edit it.")
    pages = sorted(docs.glob(f"{topic}.md")) or sorted(docs.glob(f"*/{topic}.md"))
    if not pages:
        raise Problem(
            f"there is no page {docs}/{topic}.md or {docs}/<language>/{topic}.md. Write it first, or name "
            "the snippet after another page."
        )
    return {page: _with_line(page, name) for page in pages}


def _with_line(page: Path, name: str) -> bytes:
    text = read_text(page, "utf-8")
    end = "\r\n" if "\r\n" in text else "\n"
    body = text.rstrip("\r\n")
    return f"{body}{end * 2 if body else ''}{{{{ snippet {name} }}}}{end}".encode()
