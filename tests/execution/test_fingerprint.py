"""The fingerprint: it moves with everything that can change a result, and with nothing else."""

import io
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.project import ROOT
from support.shared import kept

from weaver.execution import fingerprint
from weaver.execution.fingerprint import ENGINE, closure
from weaver.execution.labs.runner import DECIDING as LABS
from weaver.execution.snippets.runner import DECIDING as SNIPPETS

FILES = sorted(path.relative_to(ENGINE) for path in ENGINE.rglob("*") if path.suffix not in (".pyc", ""))
KINDS = {"snippets": SNIPPETS, "labs": LABS}
TAKES_PART = {
    kind: {path.relative_to(ENGINE) for path in closure(*modules)} for kind, modules in KINDS.items()
}
PROBE = """
import sys
from pathlib import Path
from weaver.execution import fingerprint as module
from weaver.execution.fingerprint import fingerprint
packages = module.installed()  # which no edit changes
module.installed = lambda: packages
for line in sys.stdin:
    path, *modules = line.split()
    file, before = Path(path), fingerprint(*modules)
    whole = file.read_bytes()
    file.write_bytes(whole + b"\\n# edited\\n")
    print(fingerprint.__wrapped__(*modules) != before)  # anew, as a new process would
    file.write_bytes(whole)
"""


@pytest.fixture(scope="module")
def moved(tmp_path_factory):
    """Which files of a copy of the engine move which fingerprint when they are edited."""
    return kept("moved", lambda: _moved(tmp_path_factory.mktemp("engine")))


def _moved(folder):
    shutil.copytree(ENGINE, folder / "weaver", ignore=shutil.ignore_patterns("__pycache__"))
    edits = [(kind, file) for kind in KINDS for file in FILES]
    lines = "".join(f"{folder / 'weaver' / file} {' '.join(KINDS[kind])}\n" for kind, file in edits)
    done = subprocess.run(
        [sys.executable, "-c", PROBE], cwd=folder, input=lines, capture_output=True, text=True, check=True
    )
    return dict(zip(edits, done.stdout.split(), strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_it_moves_with_each_file_that_takes_part_and_stays_with_each_other(moved, kind):
    assert {file for file in FILES if moved[kind, file] == "True"} == TAKES_PART[kind]


@pytest.mark.parametrize(
    "kind, module",
    [
        ("snippets", "weaver.execution.snippets.worker"),
        ("snippets", "weaver.execution.snippets.supervision"),
        ("snippets", "weaver.execution.refusals"),
        ("snippets", "weaver.execution.launch"),
        ("labs", "weaver.execution.labs.worker"),
        ("labs", "weaver.execution.launch"),
        ("labs", "weaver.escape"),
    ],
)
def test_what_a_process_of_programs_really_imports_takes_part(kind, module):
    """Asked of Python itself: import the module and see which files of the engine were read."""
    listed = "import sys; print(*[m.__file__ for n, m in sys.modules.items() if n.startswith('weaver')])"
    done = subprocess.run(
        [sys.executable, "-c", f"import {module}; {listed}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert {Path(file).relative_to(ENGINE) for file in done.stdout.split()} <= TAKES_PART[kind]


def test_what_only_draws_or_shows_takes_no_part():
    for file in ("graph/picture/svg.py", "graph/picture/storage.py", "render/html.py", "mkdocs/plugin.py"):
        assert Path(file) in FILES and Path(file) not in TAKES_PART["snippets"]


def test_it_moves_with_the_packages(monkeypatch):
    before = fingerprint.fingerprint(*SNIPPETS)
    monkeypatch.setattr(fingerprint, "installed", lambda: ["other-1.0.dist-info"])
    assert fingerprint.fingerprint.__wrapped__(*SNIPPETS) != before


def test_it_moves_with_the_processor(monkeypatch):
    before = fingerprint.fingerprint(*SNIPPETS)
    monkeypatch.setattr(fingerprint, "open", lambda *_, **__: io.StringIO("flags : other"), raising=False)
    assert fingerprint.fingerprint.__wrapped__(*SNIPPETS) != before


def test_the_packages_are_those_that_pip_lists():
    assert {"torch-2.13.0", "numpy-2.4.6"} <= {name.split("+")[0].removesuffix(".dist-info") for name in fingerprint.installed()}
