"""What the tests share: runners, the book of pages and snippets, one real build of the site."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from pytest_markdown_docs._runners import DefaultRunner, register_runner

from weaver.book import Book
from weaver.markup import Markdown
from weaver.page import parse
from weaver.run import Runner
from weaver.snippet import Snippet, read

ROOT = Path(__file__).parent.parent
CASES = Path(__file__).parent / "cases"
LANGUAGES = ("ko", "en")
collect_ignore = ["cases"]  # programs that break rules; they are run, never imported

_book, _results, _runner = None, None, None


def book() -> Book:
    """Return the real pages and snippets, read once."""
    global _book
    _book = _book or Book(ROOT / "docs", ROOT / "snippets", LANGUAGES)
    return _book


def shared_runner() -> Runner:
    """Return a runner whose server stays warm for all tests. It caches nothing."""
    global _runner
    _runner = _runner or Runner()
    return _runner


def pytest_sessionfinish():
    if _runner:
        _runner.close()


def results():
    """Return the results of all snippets, run once, with what the pages ask of them."""
    global _results
    if _results is None:
        with Runner() as runner:
            runner.request(book().asked())
            _results = runner.results()
    return _results


def cases(folder: str) -> list[Snippet]:
    """Return the programs in `tests/cases/<folder>`, named after the rules they are about."""
    return [read(path, path.stem) for path in sorted((CASES / folder).glob("*.py"))]


def mkdocs(*arguments, cwd=ROOT, **environment):
    """Run MkDocs as a reader of the README would; return the finished process, its output as text."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", *arguments],
        cwd=cwd,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of one real `mkdocs build --strict`."""
    folder = tmp_path_factory.mktemp("site") / "site"
    build = mkdocs("build", "--strict", "--site-dir", str(folder))
    assert build.returncode == 0, build.stdout
    return folder


class ExpandingMarkdown(MarkdownIt):
    """Reads a page of ours as the reader gets it: with the directives expanded."""

    def parse(self, text, env=None):
        if "{{" in text:
            page = parse(text, "a page")
            if all(directive.name in book().snippets for directive in page.directives):
                text = page.weave(Markdown(book().snippets, results(), "en", "2.13.0"))
        return super().parse(text, env)


def pytest_markdown_docs_markdown_it():
    return ExpandingMarkdown()


@register_runner(default=True)
class AsTheReader(DefaultRunner):
    """Runs a fence of a page in a process of its own, as its reader would, and wants the page's output."""

    def runtest(self, test, args, *, asyncio_runner=None):
        code = test.source.lstrip("\n")
        shown = [snippet for snippet in book().snippets.values() if snippet.code == code]
        if not shown:
            return super().runtest(test, args, asyncio_runner=asyncio_runner)
        snippet = Snippet("pasted/from_page", shown[0].path, code, shown[0].raises)
        result = shared_runner().run([snippet])[snippet.name]
        assert result.failure is None, result.failure
        assert result.output == results()[shown[0].name].output
