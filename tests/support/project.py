"""The project as the tests see it: its pages and snippets, what came of them, its cases, its commands."""

import http.server
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace

from support import warm
from support.sampled import param
from support.shared import HANG, folder, kept
from weaver.directives.cell import CellDirective
from weaver.directives.directive import Show
from weaver.execution import launch
from weaver.execution.contract import Outcome
from weaver.execution.fingerprint import version
from weaver.execution.labs.model import printed
from weaver.execution.labs.runner import Labs
from weaver.execution.protocol import Answer, Kind, Query
from weaver.execution.snippets.result import Line, Result
from weaver.execution.snippets.runner import Runner
from weaver.execution.snippets.source import Snippet, read
from weaver.pages.content import Content
from weaver.site.words import words
from weaver.versions import record
from weaver.versions.changes import changes

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests/cases"
LANGUAGES = ("ko", "en")
# How the settings of a site begin; the plugin's own follow
SITE = """
site_name: Test
site_url: http://localhost/
theme: {name: material, font: false}
plugins:
  - search
"""
PAGES = sorted(
    path.relative_to(ROOT / "docs/en").with_suffix("").as_posix() for path in (ROOT / "docs/en").rglob("*.md")
)
BUILD_CACHE = ROOT / ".cache/weaver"
WORDS = {language: words(ROOT / "words", language).page for language in LANGUAGES}
WHY_WORDS = {language: words(ROOT / "words", language).why for language in LANGUAGES}
TRACE_WORDS = {language: words(ROOT / "words", language).trace for language in LANGUAGES}


@cache
def content() -> Content:
    """Return the real pages and snippets, read once."""
    return Content(ROOT / "docs", ROOT / "snippets", LANGUAGES)


@cache
def warm_runner() -> Runner:
    """Return a runner whose server stays warm for all tests of a worker, and ends with it.

    What one worker ran, the others need not: it caches in the session's folder.
    """
    return Runner(cache=folder() / "runs")


def forget(runner: Runner) -> None:
    """Have what a runner was asked for run again when it's asked for next, or come from the cache."""
    for known in (runner._asked, runner._results, runner._doubted):
        known.clear()
    if runner._elsewhere:
        forget(runner._elsewhere)


@cache
def results() -> dict[str, Outcome]:
    """Return the results of all snippets and labs, with what the pages ask of them.

    They come from the build's cache, if it has them: `test_snippets` runs the snippets anew,
    `test_notebook` the labs.
    """
    return kept("results", _results)


def _results():
    labs = Labs(BUILD_CACHE)
    labs.request(content().asked_of_labs())
    with Runner(cache=BUILD_CACHE) as runner:
        runner.request(content().asked_of_snippets())
        found = {**runner.results(), **labs.results()}
    labs.close()
    return found


@cache
def sample() -> dict[str, str]:
    """Return a few pages in which each kind of directive and each family of pages is found.

    A family are the labs, the pages whose names begin alike (`errors-leaf`), and all others. Each page
    has the language in which it is looked at.
    """
    pages = {name.removesuffix(".md"): page for name, page in content().pages["en"].items()}
    stems = Counter(name.partition("-")[0] for name in pages)

    def features(name):
        stem = name.partition("-")[0]
        family = "labs" if pages[name].cells else stem if stems[stem] > 1 and stem != name else "others"
        return {family, *(directive.kind for directive in pages[name].directives)}

    chosen, missing = ["index"], set().union(*map(features, pages)) - features("index")
    while missing:
        gain = {name: len(features(name) & missing) / (10 + len(pages[name].directives)) for name in pages}
        chosen.append(max(gain, key=gain.get))
        missing -= features(chosen[-1])
    return dict(zip(chosen, cycle(LANGUAGES)))


def each_page(names: Iterable[str], languages: Iterable[str] = LANGUAGES, step: int = 1) -> list:
    """Return parameters of a test, (language, name): only the sample, or one of `step` in it, is for each run."""
    names = list(names)
    chosen = {name: sample()[name] for name in [name for name in sample() if name in names][::step]}
    return [
        param(language, name, id=f"{language}-{name}", each=chosen.get(name) == language)
        for language in languages
        for name in names
    ]


def shown(page, measured=True) -> list[tuple[str, str]]:
    """Return the programs and cells that a page shows, in order: the code and what it printed.

    Without `measured`, a measured cell has printed nothing: that stands on its page alone.
    """
    found = []
    for directive in page.directives:
        result = results().get(directive.name)
        if isinstance(directive, CellDirective):
            given = printed(result.outputs[directive.number - 1])
            found.append((directive.argument, given if measured or not directive.measured else ""))
        elif directive.shows_program:
            found.append((content().snippets[directive.name].code, result.output))
    return found


def show(snippets, results, language="en", torch="2.13.0") -> Show:
    """Return what directives need to be shown."""
    return Show(snippets, results, WORDS[language], torch, why=WHY_WORDS[language])


@cache
def versions() -> dict:
    """Return what other versions of torch printed, as `Show` has it: `versions` and `changes`."""
    index = record.read(ROOT / "snippets")
    snippets = content().snippets
    found = {name: one for file in snippets.values() if file.is_own for name, one in record.elsewhere(file, index).items()}
    torch = version("torch").split("+")[0]
    expected = {name: one.expected or "" for name, one in snippets.items()}
    return {"versions": found, "changes": changes(record.union(index.versions, [torch]), torch, found, expected)}


def cases(folder: str) -> list[Snippet]:
    """Return the programs in `tests/cases/<folder>` and below, named after the rules they are about."""
    return [read(path, path.stem) for path in sorted((CASES / folder).rglob("*.py"))]


@cache
def refusals() -> dict[str, Result]:
    """Return what comes of the programs in `cases/refused` and `cases/isolation`, run at the same time."""
    return kept("refusals", _refusals)


def _refusals():
    with Runner(limit=2) as runner:
        asked = {"looks_at_the_engine": [query("graph:x")]}
        return runner.run([*cases("refused"), *cases("isolation")], asked)


def query(asked: str) -> Query:
    """Return the query `text:x.grad`, `graph:z`, ..."""
    kind, _, argument = asked.partition(":")
    return Query(Kind(kind), argument)


def ask(snippet: Snippet, *asked: str) -> Result:
    """Return what comes of a snippet that is asked `graph:z`, ..."""
    return warm_runner().run([snippet], {snippet.name: [query(one) for one in asked]})[snippet.name]


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
    for seed in (0, 1):  # a build does not wait for a server of programs to load torch
        warm.nursery(warm.SERVER, launch.environment(Runner(seed=seed)._settings))
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", **environment}
    return subprocess.run(
        warm.forked([sys.executable, "-m", "mkdocs", *arguments], environment),
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=2 * HANG,
        start_new_session=True,
    )


NOTEBOOKS = [name.removesuffix(".md") for name, page in content().pages["en"].items() if page.has_code]


def notebook_of(site, language, name):
    """Return where the notebook of a page lies."""
    stem = name.split("/")[-1]
    return site / language / ("" if name == "index" else name) / f"{stem}.ipynb"


def path_of(language, name):
    """Return the address of a page below the site's."""
    return f"/{language}/" if name == "index" else f"/{language}/{name}/"


def scripts(test: str) -> SimpleNamespace:
    """Return the scripts that lie beside the file of a test, by their names."""
    return SimpleNamespace(**{path.stem: path.read_text() for path in Path(test).parent.glob("*.js")})


def hear(page, address, wrong):
    """Add to `wrong` what `page` asks of another host, and every error and warning in its console."""
    page.on("request", lambda r: r.url.startswith((address, "data:", "blob:")) or wrong.append(r.url))
    page.on("console", lambda m: m.type in ("error", "warning") and wrong.append(m.text))
    page.on("response", lambda r: r.status < 400 or wrong.append(f"{r.status}: {r.url}"))
    page.on("pageerror", lambda error: wrong.append(error.stack or str(error)))


def processes(mark: str, *places: str) -> list[str]:
    """Return what each process has in these files below `/proc/PID`, where that holds a mark."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is somebody else's
            files = (process / place for place in places)
            told = "".join(str(file.readlink()) if file.is_symlink() else file.read_text() for file in files)
            found += [told] if mark in told else []
    return found


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves without a word."""

    def log_message(self, *arguments):
        pass


@contextmanager
def serving(folder: Path, handler: type[Quiet] = Quiet) -> Iterator[str]:
    """Serve a folder; give its address."""
    serve = partial(handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def write_files(folder: Path, files: Mapping[str, str | bytes | None]) -> None:
    """Write texts to their paths in a folder; of None, the path's folder alone."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            (folder / path).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
