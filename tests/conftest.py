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
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import sync_playwright
from pytest_markdown_docs._runners import DefaultRunner, register_runner

from weaver.directives.kind import Cell
from weaver.directives.show import Show
from weaver.execution.labs.model import printed
from weaver.execution.labs.runner import Labs
from weaver.execution.snippets.runner import Runner
from weaver.execution.snippets.source import Snippet, read
from weaver.pages.content import Content
from weaver.pages.parser import parse
from weaver.render.words import WORDS

ROOT = Path(__file__).parent.parent
CASES = Path(__file__).parent / "cases"
LANGUAGES = ("ko", "en")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
]
PAGES = sorted(
    path.relative_to(ROOT / "docs/en").with_suffix("").as_posix() for path in (ROOT / "docs/en").rglob("*.md")
)
BEHIND = ["nice", "-n", "19"] if shutil.which("nice") else []
collect_ignore = ["cases"]  # programs that break rules; they are run, never imported

_book, _results, _runner, _pasting = None, None, None, None
_executing = None  # while notebooks run: the process, where they will lie, what it said
_notebooks_are_wanted = False
_pasted = {}  # name -> what it will have printed


def book() -> Content:
    """Return the real pages and snippets, read once."""
    global _book
    _book = _book or Content(ROOT / "docs", ROOT / "snippets", LANGUAGES)
    return _book


NOTEBOOKS = [name.removesuffix(".md") for name, page in book().pages["en"].items() if page.has_code]


def shared_runner() -> Runner:
    """Return a runner whose server stays warm for all tests. It caches nothing."""
    global _runner
    _runner = _runner or Runner()
    return _runner


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


def notebook_of(site, language, name):
    """Return where the notebook of a page lies."""
    stem = name.split("/")[-1]
    return site / language / ("" if name == "index" else name) / f"{stem}.ipynb"


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
    if _runner:
        _runner.close()
    if _pasting:
        _pasting[0].shutdown(cancel_futures=True)
        _pasting[1].cleanup()


def results():
    """Return the results of all snippets, run once, and of all labs, with what the pages ask of them.

    The labs come from the build's cache, if it has them: `test_notebook` runs them anew.
    """
    global _results
    if _results is None:
        labs = Labs(ROOT / ".cache/weaver")
        labs.request(book().asked_of_labs())
        with Runner() as runner:
            runner.request(book().asked_of_snippets())
            _results = {**runner.results(), **labs.results()}
        labs.close()
    return _results


def shown(page) -> list[tuple[str, str]]:
    """Return the programs and cells that a page shows, in order: the code and what it printed."""
    found = []
    for directive in page.directives:
        result = results().get(directive.name)
        if isinstance(directive, Cell):
            found.append((directive.argument, printed(result.outputs[directive.number - 1])))
        elif directive.kind.shows_program:
            found.append((book().snippets[directive.name].code, result.output))
    return found


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
    if _notebooks_are_wanted:
        _execute(folder, tmp_path_factory.mktemp("executed"))
    return folder


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


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


def path_of(language, name):
    return f"/{language}/" if name == "index" else f"/{language}/{name}/"


def hear(page, address, wrong):
    """Add to `wrong` what `page` asks of another host, and every error and warning in its console."""
    page.on("request", lambda r: r.url.startswith((address, "data:", "blob:")) or wrong.append(r.url))
    page.on("console", lambda m: m.type in ("error", "warning") and wrong.append(m.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))


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
            elif all(directive.name in book().snippets for directive in page.directives):
                show = Show(book().snippets, results(), WORDS["en"], "2.13.0")
                text = page.weave(lambda directive: directive.markdown(show))
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
