"""What the tests share: runners, the book of pages and snippets, one real build of the site."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import sync_playwright
from pytest_markdown_docs._runners import DefaultRunner, register_runner
from support.project import (
    BEHIND,
    NOTEBOOKS,
    Quiet,
    content,
    hear,
    mkdocs,
    notebook_of,
    results,
    shared_runner,
    show,
)

from weaver.execution.snippets.source import Snippet
from weaver.pages.parser import parse

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
]
collect_ignore = ["cases"]  # programs that break rules; they are run, never imported

_pasting = None
_executing = None  # while notebooks run: the process, where they will lie, what it said
_notebooks_are_wanted = False
_pasted = {}  # name -> what it will have printed


def pytest_collection_finish(session):
    """Start to paste the programs: hundreds of interpreters that load torch, beside the other tests.

    They stand back for these, which measure time; on Windows, which has no `nice`, they do not. The
    notebooks, as soon as they are built, are run beside the others as well.
    """
    global _pasting, _notebooks_are_wanted
    wanted = {"pasted": [], "executed": []}
    for item in session.items:
        for fixture in wanted.keys() & getattr(item, "fixturenames", ()):
            wanted[fixture].append(item)
    tests, _notebooks_are_wanted = wanted["pasted"], bool(wanted["executed"])
    if tests and not session.config.option.collectonly:
        _pasting = ThreadPoolExecutor(os.cpu_count()), tempfile.TemporaryDirectory()
        for snippet in [test.callspec.params["snippet"] for test in tests]:
            _pasted[snippet.name] = _pasting[0].submit(_paste, snippet.code, _pasting[1].name)


def _paste(code, folder):
    finished = subprocess.run(
        [*BEHIND, sys.executable, "-u", "-"],
        input=code.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder,
    )
    return finished.stdout.decode()


@pytest.fixture
def pasted():
    """What a program prints when pasted into a fresh `python -` in an empty folder."""
    return lambda snippet: _pasted[snippet.name].result()


def _execute(site, folder):
    """Start `jupyter nbconvert --execute` on the notebooks of one language, beside the other tests."""
    global _executing
    paths = [str(notebook_of(site, "en", name)) for name in NOTEBOOKS]
    said = open(folder / "said.txt", "w+")  # noqa: SIM115
    command = [
        sys.executable,
        "-m",
        "nbconvert",
        "--to",
        "notebook",
        "--execute",
        "--output-dir",
        str(folder),
    ]
    process = subprocess.Popen([*BEHIND, *command, *paths], stdout=said, stderr=subprocess.STDOUT)
    _executing = process, folder, said


@pytest.fixture(scope="session")
def executed(site):
    """All notebooks of one language, run anew, by the names of their pages."""
    process, folder, said = _executing
    code = process.wait()
    said.seek(0)
    assert code == 0, said.read()[-3000:]
    return {name: folder / f"{name.split('/')[-1]}.ipynb" for name in NOTEBOOKS}


def pytest_sessionfinish():
    if _executing:
        _executing[0].kill()
        _executing[2].close()
    if shared_runner.cache_info().currsize:
        shared_runner().close()
    if _pasting:
        _pasting[0].shutdown(cancel_futures=True)
        _pasting[1].cleanup()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of one real `mkdocs build --strict`."""
    folder = tmp_path_factory.mktemp("site") / "site"
    build = mkdocs("build", "--strict", "--site-dir", str(folder))
    assert build.returncode == 0, build.stdout
    if _notebooks_are_wanted:
        _execute(folder, tmp_path_factory.mktemp("executed"))
    return folder


@pytest.fixture(scope="module")
def address(site):
    """Where the built site is served."""
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM:
        pytest.skip("no Chromium: install it (Debian: apt-get install chromium fonts-noto-cjk)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser, address):
    """Open a page of the site; any request to another host and any error in the console is a failure."""
    contexts, wrong = [], []

    def visit(path, width=1280, scheme="light", **options):
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, **options
        )
        contexts.append(context)
        page = context.new_page()
        hear(page, address, wrong)
        page.goto(f"{address}{path}", wait_until="load")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert wrong == []


class ExpandingMarkdown(MarkdownIt):
    """Reads a page of ours as the reader gets it: with the directives expanded."""

    def parse(self, text, env=None):
        if "{{" in text or "\njupyter:" in text:
            page = parse(text, "labs/a page" if "\njupyter:" in text else "a page")
            if page.cells:
                text = ""  # they go together: `test_notebook` runs them
            elif all(directive.name in content().snippets for directive in page.directives):
                text = page.weave(lambda directive: directive.markdown(show(content().snippets, results())))
        return super().parse(text, env)


def pytest_markdown_docs_markdown_it():
    return ExpandingMarkdown()


@register_runner(default=True)
class AsTheReader(DefaultRunner):
    """Runs a fence of a page in a process of its own, as its reader would, and wants the page's output."""

    def runtest(self, test, args, *, asyncio_runner=None):
        code = test.source.lstrip("\n")
        shown = [snippet for snippet in content().snippets.values() if snippet.code == code]
        if not shown:
            return super().runtest(test, args, asyncio_runner=asyncio_runner)
        snippet = Snippet("pasted/from_page", shown[0].path, code, shown[0].raises)
        result = shared_runner().run([snippet])[snippet.name]
        assert result.failure is None, result.failure
        assert result.output == results()[shown[0].name].output
