"""MkDocs with the engine in it, on small sites of its own: what stops a build, and what never leaks."""

import filecmp
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from mkdocs.exceptions import Abort
from support import warm
from support.html import NASTY, Text
from support.project import CASES, LANGUAGES, SITE, mkdocs, refusals, result, write_files
from support.served import Rebuilt, inside
from support.wait import HANG, wait_for

from weaver.escape import visible
from weaver.execution.snippets.runner import Runner

CONFIG = SITE + """  - weaver:
      limit: 20
      languages:
        ko: {name: 한국어, site_name: 시험}
        en: {name: English, sections: {part: A part}}
nav: [index.md, part: [page.md]]
markdown_extensions: [attr_list, weaver.mkdocs.formula]
"""
HOME = "# Home { #home }\n"


def write(folder, page="# P { #p }\n", config=CONFIG, **snippets):
    """Write a small bilingual project, with `page` in both languages; return its folder."""
    files = {"mkdocs.yml": config, "docs/index.md": "# Gate { #gate }\n"}
    for language in LANGUAGES:
        files |= {f"docs/{language}/index.md": HOME, f"docs/{language}/page.md": page}
    (folder / "snippets/t").mkdir(parents=True, exist_ok=True)
    write_files(folder, files | {f"snippets/t/{name}.py": source for name, source in snippets.items()})
    return folder


@pytest.fixture
def project(tmp_path):
    return partial(write, tmp_path)


class Again(Rebuilt):
    """A small bilingual project; called, it begins anew, as `write` has it."""

    def __call__(self, *page_and_config, **snippets):
        self.begin({})
        return write(self.folder, *page_and_config, **snippets)


@pytest.fixture(scope="module")
def again(tmp_path_factory):
    """A project that this process builds, in each test another one."""
    with inside(Again(tmp_path_factory.mktemp("again"))) as project:
        yield project


@pytest.fixture
def said(caplog):
    """What MkDocs tells, as `said.text`."""
    caplog.set_level("INFO", "mkdocs")
    return caplog


def show(*names):
    return "# P { #p }\n\n" + "\n\n".join(f"{{{{ snippet t/{name} }}}}" for name in names) + "\n"


def test_a_build_holds_both_languages_with_nav_search_and_sitemap_of_their_own(again, said):
    folder = again(show("x") + "\n$$y = {{ value t/x y }}$$\n", x="y = 41 + 1\nprint(y)\n")
    again.build(strict=True)
    assert "1 snippet ran, 0 came from the cache" in said.text
    for language, site_name, section in (("ko", "시험", "part"), ("en", "Test", "A part")):
        html = (folder / f"site/{language}/page/index.html").read_text(encoding="utf-8")
        assert f'<html lang="{language}"' in html and site_name in html and section in html
        assert "42\n</samp>" in html and "<mn>42</mn>" in html
        index = json.loads((folder / f"site/{language}/search/search_index.json").read_text())
        assert {entry["location"].split("#")[0] for entry in index["docs"]} == {"", "page/"}
        assert "42" in json.dumps(index["docs"])
        assert f"http://localhost/{language}/page/" in (folder / f"site/{language}/sitemap.xml").read_text()
    assert not (folder / "site/ko/en").exists() and not (folder / "site/page").exists()


def test_a_changed_number_changes_both_pages_and_nothing_else_runs_again(again, said):
    folder = again(show("x", "z"), x="print(1)\n", z="print(2)\n")
    again.build()
    (folder / "snippets/t/x.py").write_text("print(7)\n")
    said.clear()
    again.build()
    assert "1 snippet ran, 1 came from the cache" in said.text
    for language in ("ko", "en"):
        assert "7\n</samp>" in (folder / f"site/{language}/page/index.html").read_text()


def test_every_bad_snippet_stops_the_build_with_a_sentence_that_names_page_and_snippet(again, monkeypatch):
    broken = {path.stem: path.read_text() for path in (CASES / "refused").glob("*/*.py")}
    again(show("good", *broken), good="print('good')\n", **broken)
    came = {f"t/{name}": refusals()[name] for name in broken} | {"t/good": result("good")}
    monkeypatch.setattr(Runner, "request", lambda *arguments: None)
    monkeypatch.setattr(Runner, "results", lambda *arguments: came)
    with pytest.raises(Abort) as refused:
        again.build()
    for line, name in enumerate(["good", *broken]):
        place = f"Shown in: docs/ko/page.md:{3 + 2 * line}, docs/en/page.md:{3 + 2 * line}."
        of_it = [text for text in str(refused.value).splitlines() if text.startswith(f"snippets/t/{name}.py:")]
        assert [text.endswith(place) for text in of_it[-1:]] == [True] * (name != "good"), (name, of_it)


def test_beside_a_bad_snippet_the_others_run_and_need_not_run_again(again, said):
    again(show("good", "bad"), good="print('good')\n", bad="raise ValueError\n")
    with pytest.raises(Abort, match=re.escape("snippets/t/bad.py:1: the snippet raised")):
        again.build()
    again(show("good"), good="print('good')\n")
    said.clear()
    again.build()
    assert "0 snippets ran, 1 came from the cache" in said.text


GRAPH = "# P {{ #p }}\n\n{{{{ snippet t/x }}}}\n\n{{{{ graph t/x {} }}}}\n"
CHAIN = """import torch

x = torch.tensor(3.0, requires_grad=True)
z = x
for _ in range({}):
    z = (z * 2 + 1).abs()
z.backward()
"""


def test_a_picture_is_in_both_languages_pages_and_in_no_index_and_drawn_once(again, said):
    folder = again(GRAPH.format("z"), x=CHAIN.format(1))
    again.build()
    pictures = set()
    for language in ("ko", "en"):
        html = (folder / f"site/{language}/page/index.html").read_text(encoding="utf-8")
        pictures.add(re.search('<svg class="picture".*?</svg>', html, re.DOTALL)[0])
        assert ".grad = 2" in html and "Read it step by step" in html
        index = (folder / f"site/{language}/search/search_index.json").read_text()
        assert "AccumulateGrad" not in index
    assert len(pictures) == 1
    before = filecmp.dircmp(folder / "site", shutil.copytree(folder / "site", folder / "before"))
    said.clear()
    again.build()
    assert "0 snippets ran, 1 came from the cache" in said.text
    assert not before.diff_files


WHAT_IF = "# P { #p }\n\n{{ what-if t/x }}\n\nIt is {{ value t/x y }}.\n{{ end }}\n"


def test_what_other_variants_show_lies_beside_the_page_and_nothing_runs_again(again, said):
    folder = again(WHAT_IF, x="y = 1  # or: 22\nprint(y)\n")
    again.build(strict=True)
    for language in ("ko", "en"):
        page = folder / f"site/{language}/page"
        html = (page / "index.html").read_text(encoding="utf-8")
        script = (page / re.search('data-variants="(.*?)"', html)[1]).read_text(encoding="utf-8")
        assert script.startswith("weaverFlip(3, ") and '<code class=\\"value\\">22' in script.replace("\\u003c", "<")
        index = (folder / f"site/{language}/search/search_index.json").read_text()
        assert "It is 1" in index and "22" not in index
        assert "| `22` | `22` |" in (page / "index.md").read_text(encoding="utf-8")
    assert (folder / "site/snippets/t/x.2.py").read_text() == "y = 22\nprint(y)\n"
    said.clear()
    again.build()
    assert "0 snippets ran, 2 came from the cache" in said.text
    (folder / "snippets/t/x.py").write_text("y = 1  # or: 23\nprint(y)\n")
    said.clear()
    again.build()
    assert "1 snippet ran, 1 came from the cache" in said.text


def test_alternatives_that_no_page_shows_stop_a_strict_build(again, said):
    again(show("x"), x="y = 1  # or: 2\nprint(y)\n")
    with pytest.raises(Abort, match="warning"):
        again.build(strict=True)
    assert "snippets/t/x.py offers alternatives" in said.text


@pytest.mark.parametrize(
    ("asked", "source", "sentence"),
    [
        (
            "zz",
            CHAIN.format(1),
            "`zz` can't be drawn after snippet `t/x`: NameError: name 'zz' is not defined.",
        ),
        ("_", CHAIN.format(1), "`_` can't be drawn after snippet `t/x`: TypeError: _ isn't a tensor"),
        ("z", CHAIN.format(334), "ValueError: the graph has 1003 nodes and tensors, more than 1000"),
        (
            "z",
            "import sys, torch\n\nz = torch.ones(1)\nprint(torch.autograd._engine_run_backward.__name__)\n",
            "while its graph is recorded for a picture: `_engine_run_backward`, then",
        ),
    ],
)
def test_a_graph_that_cannot_be_drawn_stops_the_build_with_a_sentence(again, asked, source, sentence):
    again(GRAPH.format(asked), x=source)
    with pytest.raises(Abort, match=re.escape(sentence)) as refused:
        again.build()
    assert "page.md:5" in str(refused.value)


def test_a_bad_snippet_stops_a_strict_build_too(project):
    build = mkdocs("build", "--strict", cwd=project(show("x"), x="raise ValueError\n"))
    assert build.returncode == 1 and "Traceback" not in build.stdout
    assert "snippets/t/x.py:1: the snippet raised" in build.stdout
    assert "Shown in: docs/ko/page.md:3, docs/en/page.md:3." in build.stdout


BROKEN_PAGES = {
    "unknown snippet": ("{{ snippet t/y }}", "docs/ko/page.md:3: there is no snippet `t/y`"),
    "unknown variable": ("{{ value t/x z }}", "docs/ko/page.md:3: `z` can't be evaluated"),
    "unknown directive": ("{{ snip t/x }}", "docs/ko/page.md:3: there is no directive `snip`"),
    "unknown option": ("{{ snippet t/x fold }}", "docs/ko/page.md:3: a snippet has no option `fold`"),
    "distractor that is right": ("{{ question t/x x }}\n- 1\n{{ end }}", "docs/ko/page.md:3: `1` is listed"),
    "formula that is none": ("$x_{$", "the formula `$x_{$` can't be read"),
    "address in a value": ("{{ value t/x object() }}", "docs/ko/page.md:3: `object()` can't be evaluated after snippet `t/x`: it gives an address, 0x"),
    "address in a table": ("{{ table t/x {'a': object()} | t }}", "it gives an address, 0x"),
    "snippet inside a code block": (
        "    {{ snippet t/x }}",
        "docs/ko/page.md:3: `{{ snippet ... }}` is in code.",
    ),
    "value in a link": (
        "[a]({{ value t/x x }})",
        "docs/ko/page.md:3: `{{ value ... }}` is in a link's target",
    ),
    "heading without an id": ("## B", "docs/ko/page.md:3: the heading `B` needs an id"),
}


@pytest.mark.parametrize("line, sentence", BROKEN_PAGES.values(), ids=BROKEN_PAGES)
def test_a_broken_page_stops_the_build_without_strict(again, line, sentence):
    again(f"# P {{ #p }}\n\n{line}\n", x="x = 1\n")
    with pytest.raises(Abort, match=re.escape(sentence)):
        again.build()


def test_a_page_that_one_language_lacks_stops_the_build(project):
    folder = project()
    (folder / "docs/en/page.md").unlink()
    build = mkdocs("build", cwd=folder)
    assert build.returncode == 1 and "docs/en/page.md is missing" in build.stdout


@pytest.mark.parametrize("traces", [True, False])
def test_programs_are_stepped_through_unless_a_site_wants_none(again, traces):
    text = "# P { #p }\n\n{{ snippet t/x }}\n\n{{ graph t/x x }}\n"
    source = "import torch\nx = torch.ones(1, requires_grad=True)\n"
    config = CONFIG.replace("limit: 20", f"limit: 20\n      traces: {str(traces).lower()}")
    folder = again(text, config, x=source)
    again.build(strict=True)
    html = (folder / "site/ko/page/index.html").read_text(encoding="utf-8")
    assert ("data-trace" in html) is traces
    assert bool(list((folder / "site").rglob("*.trace.js"))) is traces


def test_nasty_output_is_literal_in_the_page_and_in_the_search_index(again):
    sources = {f"n{i}": f"text = {text!a}\nprint(text)\n" for i, text in enumerate(NASTY.values())}
    values = "".join(f"\n\n{{{{ value t/{name} text }}}}" for name in sources)
    folder = again(show(*sources) + values + "\n", **sources)
    again.build()
    html = (folder / "site/en/page/index.html").read_text(encoding="utf-8")
    assert Text("samp", html).text == "".join(f"{visible(text)}\n" for text in NASTY.values())
    assert "<script>alert" not in html
    index = (folder / "site/en/search/search_index.json").read_text()
    [entry] = [
        e["text"] for e in json.loads(index)["docs"] if e["location"] == "page/#p" or e["title"] == "P"
    ][:1]
    assert "<script" not in entry and "&lt;script&gt;alert(1)&lt;/script&gt;" in entry
    assert "\x00" not in entry and visible("\x1b[31mred\x1b[0m") in entry


def test_two_cold_builds_give_the_same_bytes_in_every_file(project):
    sources = {f"s{i}": f"import torch\nprint({{'a', 'b', 'c'}} and torch.ones({i + 1}))\n" for i in range(6)}
    folder = project(show(*sources), **sources)
    for site in ("one", "two"):
        shutil.rmtree(folder / ".cache", ignore_errors=True)
        assert mkdocs("build", "-d", site, cwd=folder).returncode == 0
    compare = filecmp.dircmp(folder / "one", folder / "two")
    assert list(_different(compare)) == []


def _different(compare):
    yield from compare.left_only + compare.right_only
    for name in compare.common_files:
        if Path(compare.left, name).read_bytes() != Path(compare.right, name).read_bytes():
            yield f"{compare.left}/{name}"
    for inner in compare.subdirs.values():
        yield from _different(inner)


def test_two_builds_at_once_in_one_checkout_do_not_disturb_each_other(project):
    sources = {f"s{i}": f"import time; time.sleep(0.05); print({i})\n" for i in range(20)}
    folder = project(show(*sources), **sources)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    builds = [
        warm.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(3)
    ]
    for build in builds:
        output, _ = build.communicate(timeout=HANG)
        assert build.returncode == 0, output
    html = (folder / "site/en/page/index.html").read_text()
    assert Text("samp", html).text == "".join(f"{i}\n" for i in range(20))


def test_a_build_killed_at_any_moment_leaves_a_cache_from_which_the_next_is_right(project):
    sources = {f"s{i}": f"print({i})\n" for i in range(30)}
    folder = project(show(*sources), **sources)
    for patience in (0.4, 1.2, 1.6, 1.9, 2.2):
        build = subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "build", "-q"], cwd=folder, stderr=subprocess.DEVNULL
        )
        time.sleep(patience)
        build.send_signal(signal.SIGKILL)
        build.wait()
    last = mkdocs("build", "--strict", cwd=folder)
    assert last.returncode == 0, last.stdout
    html = (folder / "site/ko/page/index.html").read_text()
    assert Text("samp", html).text == "".join(f"{i}\n" for i in range(30))


def test_nothing_is_written_under_docs_or_snippets(again):
    folder = again(show("x"), x="print(1)\n")
    before = sorted((folder / "docs").rglob("*")) + sorted((folder / "snippets").rglob("*"))
    again.build()
    assert sorted((folder / "docs").rglob("*")) + sorted((folder / "snippets").rglob("*")) == before


def test_a_site_without_languages_is_built_as_it_stands(project):
    config = re.sub(r"      languages:.*?(?=nav)|nav: [^\n]*\n", "", CONFIG, flags=re.S)
    folder = project(config=config)
    shutil.rmtree(folder / "docs")
    (folder / "docs").mkdir()
    (folder / "docs/index.md").write_text(show("x"))
    (folder / "snippets/t/x.py").write_text("print(6 * 7)\n")
    build = mkdocs("build", "--strict", cwd=folder)
    assert build.returncode == 0, build.stdout
    assert "42\n</samp>" in (folder / "site/index.html").read_text()


@pytest.fixture
def served(project):
    folder = project(show("x"), x="print('first')\n")
    (folder / "theme").mkdir()
    (folder / "theme/main.html").write_text(
        '{% extends "base.html" %}{% block announce %}old theme{% endblock %}'
    )
    config = (
        (folder / "mkdocs.yml").read_text().replace("name: material,", "name: material, custom_dir: theme,")
    )
    (folder / "mkdocs.yml").write_text(config + "watch: [theme]\n")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "serve", "-a", f"127.0.0.1:{port}"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    yield folder, f"http://127.0.0.1:{port}"
    server.terminate()
    server.wait(HANG)
    server.stdout.close()


def test_serve_serves_all_languages_and_builds_again_on_an_edit_of_page_snippet_or_theme(served):
    folder, address = served
    for language in ("ko", "en"):
        _wait_for(f"{address}/{language}/page/", "first\n</samp>")
    _wait_for(f"{address}/", "Gate")
    (folder / "snippets/t/x.py").write_text("print('second')\n")
    for language in ("ko", "en"):
        _wait_for(f"{address}/{language}/page/", "second\n</samp>")
    page = folder / "docs/en/page.md"
    page.write_text(page.read_text() + "\nA new sentence.\n")
    _wait_for(f"{address}/en/page/", "A new sentence.")
    (folder / "theme/main.html").write_text(
        '{% extends "base.html" %}{% block announce %}new theme{% endblock %}'
    )
    _wait_for(f"{address}/ko/page/", "new theme")
    (folder / "snippets/t/x.py").write_text("raise ValueError\n")
    time.sleep(3)
    (folder / "snippets/t/x.py").write_text("print('mended')\n")
    _wait_for(f"{address}/ko/page/", "mended\n</samp>")


def _wait_for(address, text):
    def served():
        with suppress(urllib.error.URLError, ConnectionError):
            return text in urllib.request.urlopen(address, timeout=HANG).read().decode("utf-8")

    wait_for(served, otherwise=lambda: f"{address} never held {text!r}")
