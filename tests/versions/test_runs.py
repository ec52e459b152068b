"""Programs, run with another interpreter that has torch: here with the one that runs the tests."""

import re
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.project import ROOT

from weaver import __main__ as command
from weaver.execution.snippets.runner import LIMIT
from weaver.execution.snippets.source import Snippet, find
from weaver.problem import Problem
from weaver.versions.runs import is_same, probes, steady

PYTHON = Path(sys.executable)
# What each prints, or why it ended
PROGRAMS = {
    "print(1)": "1\n",
    "import torch\ntorch.no_such_function()": "AttributeError: module 'torch' has no attribute 'no_such_function'\n",
    "import warnings\nwarnings.warn('old')": "UserWarning: old\n",
    "print('cut', end='')\nraise ValueError('short')": "cut\nValueError: short\n",
    "import os, signal\nprint(1)\nos.kill(os.getpid(), signal.SIGSEGV)": "1\n[ended by SIGSEGV]\n",
    "import os\nos.kill(os.getppid(), 9)\nimport time\ntime.sleep(9)": "[ended its parent]\n",
    "print(1)\nwhile True: pass": "1\n[stopped: not done after 1 s]\n",
    "import sys\nsys.exit('no')": "no\n",
    "import os\nprint(os.listdir())\nopen('x', 'w')": "[]\n",
    "class A:\n    def __del__(self): print('gone')\na = A()": "gone\n",
    "import torch\nprint(id(torch) > 0, object())": "True <object object at 0x...>\n",
    "import os, time\nif os.fork() == 0:\n    time.sleep(60)\nprint(1)": "1\n",
}


@pytest.fixture(scope="module")
def pool():
    with probes(PYTHON, 1) as pool:
        yield pool


def test_every_program_prints_what_it_would_or_says_how_it_ended(pool, tmp_path):
    path = tmp_path / "program.py"
    snippets = []
    for source in PROGRAMS:
        path.write_text("")
        snippets.append(Snippet("t/program", path, source))
    assert dict(zip(PROGRAMS, pool.outputs(snippets), strict=True)) == PROGRAMS


def test_programs_of_the_site_print_what_is_expected_of_them():
    names = sorted(path.relative_to(ROOT / "snippets").with_suffix("").as_posix() for path in (ROOT / "snippets").rglob("*.py"))
    snippets = [one for name in names[::40] for one in find(ROOT / "snippets", name).variants]
    with probes(PYTHON, LIMIT) as pool:
        found = list(zip(snippets, pool.outputs(snippets), strict=True))
    assert [(one.name, output) for one, output in found if not is_same(one.expected, output)] == []


def test_progress_is_told_for_each_program(pool, tmp_path):
    (tmp_path / "p.py").write_text("")
    told = []
    pool.outputs([Snippet("t/p", tmp_path / "p.py", "")] * 3, told.append)
    assert told == [1, 2, 3]


def test_an_interpreter_without_torch_is_refused(tmp_path):
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\nexec {Path(sys.base_prefix) / 'bin/python3'} -S \"$@\"\n")
    python.chmod(0o755)
    with pytest.raises(Problem, match="can't load torch: ModuleNotFoundError"), probes(python, 1):
        pass


@pytest.mark.parametrize(
    "one, other, same",
    [
        ("<object at 0x7f0011223344>\n", "<object at 0x7f5566778899>\n", True),
        ('  File "torch/_tensor.py", line 1, in backward\n', '  File "torch/_tensor.py", line 2, in backward\n', True),
        ("1\n", "[Gloo] Rank 0 is connected to 1 peer ranks. Expected number is : 1\n1\n", True),
        ("x\n", "[Gloo] Rank 0 [Gloo] Rank 1 is connected to 1 peer ranks. Expected number is : 1Expected number is : \n1\nx\n", True),
        ("tensor(1.)\n", "tensor(2.)\n", False),
        ("1\n", "UserWarning: new\n1\n", False),
    ],
)
def test_addresses_line_numbers_of_torch_and_logs_are_no_difference(one, other, same):
    assert is_same(one, steady(other, ())) == same


@pytest.fixture
def project(tmp_path, monkeypatch):
    folder = tmp_path / "snippets/t"
    folder.mkdir(parents=True)
    (folder / "plain.py").write_text("print(1)\n")
    (folder / "plain.out").write_text("one\n")
    monkeypatch.chdir(tmp_path)
    return folder


def test_the_command_records_and_checks(project):
    recorded = CliRunner().invoke(command.main, ["versions", "record", sys.executable])
    assert "1 program in" in recorded.output and "1 of them print something else (1 value)." in recorded.output
    version = CliRunner().invoke(command.main, ["versions", "list"]).output.strip()
    assert (project / "plain.versions.txt").read_text() == f"=== torch {version}\n1\n"
    assert CliRunner().invoke(command.main, ["versions", "check"]).exit_code == 0
    (project / "plain.py").write_text("print(2)\n")
    checked = CliRunner().invoke(command.main, ["versions", "check"])
    assert checked.exit_code == 1 and f"not run since with torch {version}." in checked.output


def test_only_what_is_new_or_has_changed_is_run_again(project, pool, monkeypatch):
    monkeypatch.setattr("weaver.versions.command.probes", lambda python, limit: nullcontext(pool))

    def record(*options):
        said = CliRunner().invoke(command.main, ["versions", "record", sys.executable, *options]).output
        return int(re.search(r": ([0-9]+) programs? in", said)[1])

    assert (record(), record()) == (1, 0)
    kept = (project / "plain.versions.txt").read_text()
    (project / "other.py").write_text("print(2)\n")
    assert record() == 1 and (project / "plain.versions.txt").read_text() == kept
    (project / "plain.py").write_text("print(3)\n")
    assert record() == 1 and (project / "plain.versions.txt").read_text() == kept.replace("1\n", "3\n")
    (project / "plain.versions.txt").write_text(kept)  # edited
    assert record() == 1 and (project / "plain.versions.txt").read_text() == kept.replace("1\n", "3\n")
    assert CliRunner().invoke(command.main, ["versions", "check"]).exit_code == 0
    assert record("--all") == 2


def test_the_command_says_what_it_cannot_run(project):
    said = CliRunner().invoke(command.main, ["versions", "record", "/bin/false"])
    assert said.exit_code == 1 and "can't load torch" in said.output
