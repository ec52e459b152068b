"""What goes wrong around a build, not in it: signals, folders, settings. The site that was there stays."""

import hashlib
import math
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from support.project import LANGUAGES, SITE, mkdocs, processes, write_files
from support.sampled import param
from support.shared import once
from support.wait import HANG, wait_for

from weaver.mkdocs.options import Options

CONFIG = SITE + """  - weaver:
      limit: 20
      languages: {ko: {name: 한국어}, en: {name: English}}
"""
LAB = """---
jupyter: {{}}
---

# L {{ #l }}

```python
import subprocess, time
process = subprocess.Popen(["sleep", "{mark}"], start_new_session=True)
time.sleep(1)
process.kill()
process.wait()
```
"""


@pytest.fixture
def project(tmp_path):
    """A folder with a small bilingual project, built; nothing else is in it."""
    own = shutil.ignore_patterns("pages", "*.lock")  # pages are made of files at their place
    shutil.copytree(once("a-small-project", _built), tmp_path / "project", ignore=own)
    return tmp_path / "project"


def _built(folder):
    page = "# Home { #home }\n\n{{ snippet t/x }}\n\nIt is {{ value t/x x }}.\n"
    pages = {f"docs/{language}/index.md": page for language in LANGUAGES}
    program = {"snippets/t/x.py": "x = 1\nprint(x)\n"}
    write_files(folder, {"mkdocs.yml": CONFIG, "docs/index.md": "# Gate { #gate }\n", **pages, **program})
    built = mkdocs("build", "--strict", cwd=folder)
    assert built.returncode == 0, built.stdout


def files(folder):
    return {path: hashlib.sha256(path.read_bytes()).digest() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("name", "text", "arguments"),
    [
        ("snippets/t/x.py", "raise ValueError\n", []),
        ("docs/ko/index.md", "{{ snip }}\n", []),
        ("docs/ko/index.md", "# H { #home }\n\n{{ snippet t/x }}\n\nIt is {{ value t/x y }}.\n", []),
        ("docs/index.md", "# Gate\n\n[no](no.md)\n", ["--strict"]),
        ("docs/en/index.md", "# H { #home }\n\n{{ snippet t/x }}\n\nIt is {{ value t/x x }}. [no](no.md)\n", ["--strict"]),
    ],
)
def test_a_build_that_fails_leaves_the_site_that_was_there(project, name, text, arguments):
    before = files(project / "site")
    (project / name).write_text(text)
    assert mkdocs("build", *arguments, cwd=project).returncode
    assert files(project / "site") == before
    assert os.listdir(project / ".cache/weaver/runs") == []


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL", param("SIGHUP", each=False)])
def test_a_signal_at_any_moment_leaves_a_whole_site_and_no_process_and_no_file(project, name, every_page):
    mark = f"77.{os.getpid()}"
    for language in ("ko", "en"):
        (project / f"docs/{language}/labs").mkdir()
        (project / f"docs/{language}/labs/l.md").write_text(LAB.format(mark=mark))
    temporary = project.parent / "tmp"
    temporary.mkdir()
    left = [files(project / "site")]
    for patience in (0.5, 2, 3.5, 5)[:: 1 if every_page else 2]:
        shutil.rmtree(project / ".cache", ignore_errors=True)
        build = subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "build", "-q"],
            cwd=project,
            env={**os.environ, "TMPDIR": str(temporary)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        time.sleep(patience)
        build.send_signal(getattr(signal, name))
        said, _ = build.communicate(timeout=HANG)
        if build.returncode == 0:
            break  # a quick machine had come to the end
        assert "BrokenPipe" not in said
        left.append(files(project / "site"))
        assert set(os.listdir(project)) <= {".cache", "docs", "mkdocs.yml", "site", "snippets"}
        _none_of(mark, str(project))
        assert os.listdir(temporary) == [], patience
    assert mkdocs("build", cwd=project).returncode == 0
    assert os.listdir(project / ".cache/weaver/runs") == []
    whole = files(project / "site")  # what is there when the signal comes behind the build's last deed
    assert [one for one in left if one not in (left[0], whole)] == []
    assert whole != left[0]


def _none_of(*marks):
    """Wait until no process bears one of the marks in its command or works in such a folder."""

    def found():
        return [told for mark in marks for told in processes(mark, "cmdline", "cwd")]

    wait_for(lambda: not found(), otherwise=found)


def test_a_folder_that_no_build_made_is_not_replaced(project):
    for folder, said in (("snippets", "`site_dir` is snippets"), ("other", "which contains files that no build created")):
        (project / folder).mkdir(exist_ok=True)
        (project / folder / "mine.txt").write_text("mine")
        built = mkdocs("build", "-d", folder, cwd=project)
        assert built.returncode == 1 and said in built.stdout and "Traceback" not in built.stdout
        assert (project / folder / "mine.txt").read_text() == "mine"
    assert (project / "snippets/t/x.py").exists()


@pytest.mark.parametrize("cache", [".cache/file", "/proc/none"])
def test_a_cache_that_cannot_be_written_costs_the_cache_only(project, cache):
    (project / ".cache/file").write_text("")
    configured = CONFIG.replace("limit: 20", f"limit: 20\n      cache: {cache}")
    (project / "mkdocs.yml").write_text(configured)
    for _ in range(2):
        built = mkdocs("build", "--strict", cwd=project)
        assert built.returncode == 0, built.stdout
        assert built.stdout.count("The cache can't be written") == 1


def test_a_working_directory_that_is_gone_is_said(project):
    (project / "gone").mkdir()
    command = f"rmdir ../gone; {sys.executable} -m mkdocs build -f {project}/mkdocs.yml"
    built = subprocess.run(command, shell=True, cwd=project / "gone", capture_output=True, text=True)
    assert built.returncode == 1 and "The working directory is gone. Change to one that exists." in built.stdout
    assert "Traceback" not in built.stdout + built.stderr


def test_a_plugin_that_is_listed_twice_is_said(project):
    (project / "mkdocs.yml").write_text(f"{CONFIG}  - weaver\n")
    built = mkdocs("build", cwd=project)
    assert built.returncode == 1 and "`plugins` lists `weaver` more than once." in built.stdout


def test_a_limit_that_is_none_is_said_before_anything_runs(project):
    (project / "mkdocs.yml").write_text(CONFIG.replace("limit: 20", "limit: .nan"))
    built = mkdocs("build", cwd=project)
    assert built.returncode == 1 and "option 'limit'" in built.stdout, built.stdout


@pytest.mark.parametrize("limit", [math.nan, math.inf, 0, -1, True, "lots", None])
@pytest.mark.parametrize("name", ["limit", "lab_limit"])
def test_a_limit_is_a_number_of_seconds_above_zero(name, limit):
    options = Options()
    options.load_dict({name: limit} if limit is not None else {})
    wrong = {option for option, _ in options.validate()[0]} & {"limit", "lab_limit"}
    assert wrong == ({name} if limit is not None else set())


def test_a_configuration_from_stdin_is_said(project):
    with (project / "mkdocs.yml").open() as file:
        built = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "-f", "-"], cwd=project, stdin=file, capture_output=True, text=True
        )
    assert built.returncode == 1 and "Pass a file, not stdin" in built.stdout + built.stderr
    assert "Traceback" not in built.stdout + built.stderr


def test_without_an_address_the_lists_and_the_gate_still_lead_to_the_languages(project):
    (project / "mkdocs.yml").write_text(CONFIG.replace("site_url: http://localhost/\n", "site_url: ''\n"))
    assert mkdocs("build", "--strict", cwd=project).returncode == 0
    listed = (project / "site/llms.txt").read_text()
    assert "(ko/index.md)" in listed and "(en/index.md)" in listed
    assert "Sitemap" not in (project / "site/robots.txt").read_text()


def test_what_warns_makes_no_zip_and_a_target_in_a_new_folder_is_made(project):
    offline = [sys.executable, "-m", "weaver", "offline"]
    configured = CONFIG.replace("limit: 20", "limit: 20\n      offline: !ENV [OFFLINE, false]")
    (project / "mkdocs.yml").write_text(configured)
    made = subprocess.run([*offline, "new/folder/site.zip"], cwd=project, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert os.listdir(project / "new/folder") == ["site.zip"]
    (project / "docs/index.md").write_text("# Gate\n\n[no](no.md)\n")
    made = subprocess.run([*offline, "site.zip"], cwd=project, capture_output=True, text=True)
    assert made.returncode == 1 and "no.md" in made.stderr and not (project / "site.zip").exists()
    made = subprocess.run([*offline, "mkdocs.yml/site.zip"], cwd=project, capture_output=True, text=True)
    assert made.returncode == 1 and "can't be written" in made.stderr and "Traceback" not in made.stderr
