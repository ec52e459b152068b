"""The project as the tests see it: its pages and snippets, what came of them, its cases, its commands."""

import http.server
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from weaver.directives.kind import Cell
from weaver.directives.show import Show
from weaver.execution.contract import Outcome
from weaver.execution.labs.model import printed
from weaver.execution.labs.runner import Labs
from weaver.execution.protocol import Answer, Kind, Query
from weaver.execution.snippets.result import Line, Result
from weaver.execution.snippets.runner import Runner
from weaver.execution.snippets.source import Snippet, read
from weaver.pages.content import Content
from weaver.render.words import WORDS

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests/cases"
LANGUAGES = ("ko", "en")
PAGES = sorted(
    path.relative_to(ROOT / "docs/en").with_suffix("").as_posix() for path in (ROOT / "docs/en").rglob("*.md")
)
BEHIND = ["nice", "-n", "19"] if shutil.which("nice") else []


@cache
def content() -> Content:
    """Return the real pages and snippets, read once."""
    return Content(ROOT / "docs", ROOT / "snippets", LANGUAGES)


@cache
def shared_runner() -> Runner:
    """Return a runner whose server stays warm for all tests. It caches nothing."""
    return Runner()


@cache
def results() -> dict[str, Outcome]:
    """Return the results of all snippets, run once, and of all labs, with what the pages ask of them.

    The labs come from the build's cache, if it has them: `test_notebook` runs them anew.
    """
    labs = Labs(ROOT / ".cache/weaver")
    labs.request(content().asked_of_labs())
    with Runner() as runner:
        runner.request(content().asked_of_snippets())
        found = {**runner.results(), **labs.results()}
    labs.close()
    return found


def shown(page) -> list[tuple[str, str]]:
    """Return the programs and cells that a page shows, in order: the code and what it printed."""
    found = []
    for directive in page.directives:
        result = results().get(directive.name)
        if isinstance(directive, Cell):
            found.append((directive.argument, printed(result.outputs[directive.number - 1])))
        elif directive.kind.shows_program:
            found.append((content().snippets[directive.name].code, result.output))
    return found


def show(snippets, results, language="en", torch="2.13.0") -> Show:
    """Return what directives need to be shown."""
    return Show(snippets, results, WORDS[language], torch)


def cases(folder: str) -> list[Snippet]:
    """Return the programs in `tests/cases/<folder>` and below, named after the rules they are about."""
    return [read(path, path.stem) for path in sorted((CASES / folder).rglob("*.py"))]


def query(asked: str) -> Query:
    """Return the query `text:x.grad`, `graph:z`, ..."""
    kind, _, argument = asked.partition(":")
    return Query(Kind(kind), argument)


def ask(snippet: Snippet, *asked: str) -> Result:
    """Return what comes of a snippet that is asked `graph:z`, ..."""
    return shared_runner().run([snippet], {snippet.name: [query(one) for one in asked]})[snippet.name]


def answer(result: Outcome, asked: str) -> tuple[str | None, str | None]:
    """Return the text and the error that a result has for the query `text:x.grad`."""
    found = result.answer(query(asked))
    return found.text, found.error


def result(*texts, answers={}, **rest) -> Result:
    """Return a result that printed `texts`; `answers` maps `text:x.grad` to a text, or to an exception."""
    lines = tuple(text if isinstance(text, Line) else Line(text, 1, "out") for text in texts)
    given = tuple(
        Answer(query(asked), None, str(text)) if isinstance(text, Exception) else Answer(query(asked), text)
        for asked, text in answers.items()
    )
    return Result(lines=lines, answers=given, **rest)


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


NOTEBOOKS = [name.removesuffix(".md") for name, page in content().pages["en"].items() if page.has_code]


def notebook_of(site, language, name):
    """Return where the notebook of a page lies."""
    stem = name.split("/")[-1]
    return site / language / ("" if name == "index" else name) / f"{stem}.ipynb"


def path_of(language, name):
    """Return the address of a page below the site's."""
    return f"/{language}/" if name == "index" else f"/{language}/{name}/"


def hear(page, address, wrong):
    """Add to `wrong` what `page` asks of another host, and every error and warning in its console."""
    page.on("request", lambda r: r.url.startswith((address, "data:", "blob:")) or wrong.append(r.url))
    page.on("console", lambda m: m.type in ("error", "warning") and wrong.append(m.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass
