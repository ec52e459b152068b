"""`weaver trace`, given what people give a command: an answer or a sentence, and a fitting exit code."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tomllib
from dataclasses import replace
from functools import partial
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from click.testing import CliRunner
from support import warm
from support.project import ROOT, WHY_WORDS, processes
from support.trace.trace_view import unpacked
from support.wait import HANG, wait_for

from weaver.__main__ import main
from weaver.execution import protocol
from weaver.problem import shown
from weaver.recording.files import OwnFiles
from weaver.recording.limits import Limits
from weaver.recording.lines import SourceLines
from weaver.recording.program import Script
from weaver.tracing.process import Told, TraceJob
from weaver.why.words import ENGLISH

PROGRAM = "import torch\nopen('ran', 'w').close()\nx = torch.ones(1)\nprint('end')\n"
PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
COMMAND = [sys.executable, "-m", "weaver", "trace"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder with a program, in which the command is given."""
    (tmp_path / "p.py").write_text(PROGRAM)
    (tmp_path / "soft.py").symlink_to("p.py")
    (tmp_path / "hard.py").hardlink_to(tmp_path / "p.py")
    (tmp_path / "it's").mkdir()
    (tmp_path / "xx.yml").write_text("- no\n- words\n")
    os.mkfifo(tmp_path / "fifo.py")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ("nowhere.py", 2, "File 'nowhere.py' does not exist."),
        ("it's", 2, "is a directory."),
        ("fifo.py", 1, "fifo.py isn't a regular file. Name a Python program."),
        ("p.py -o p.py", 1, "`-o p.py` would overwrite p.py. Name another file."),
        ("p.py -o soft.py", 1, "`-o soft.py` would overwrite p.py. Name another file."),
        ("p.py -o hard.py", 1, "`-o hard.py` would overwrite p.py. Name another file."),
        ("soft.py -o p.py", 1, "`-o p.py` would overwrite soft.py. Name another file."),
        ("p.py --words xx.yml -o xx.yml", 1, "xx.yml"),
        ("p.py -o no/x.html", 1, "no/x.html can't be written: No such file or directory. Name another file."),
        ("p.py -o p.py/x.html", 1, "p.py/x.html can't be written: Not a directory. Name another file."),
        ("p.py -o fifo.py", 1, "fifo.py can't be written: No such device or address. Name another file."),
        ("p.py -o it's", 2, "is a directory."),
        ("p.py --lr 3", 2, "`weaver trace` has no option `--lr`. Put your program's own after `--`."),
        ("p.py --bytes 0", 1, "`--bytes` must be a number from 1 to 1,073,741,824, not 0."),
        ("p.py --bytes -5", 1, "`--bytes` must be a number from 1 to 1,073,741,824, not -5."),
        ("p.py --bytes 10", 1, "Error: `--bytes` must be at least "),
        ("p.py --steps -1", 1, "`--steps` must be a number from 4 to 100,000, not -1."),
        (f"p.py --steps {10**30}", 1, "`--steps` must be a number from 4 to 100,000, not 1,000,000,"),
        (f"p.py --steps {'9' * 5000}", 2, "is not a valid integer"),
        ("p.py --elements 0", 1, "`--elements` must be a number from 1 to 10,000, not 0."),
        ("p.py --seconds nan", 1, "`--seconds` must be a positive number of seconds, not `nan`."),
        ("p.py --looks 0", 1, "`--looks` must be a number from 1 to 1,099,511,627,776, not 0."),
        (
            "p.py --from x.y",
            1,
            "`--from x.y` must be a line (`120`), a function (`train_step`) or one of its calls (`train_step@3`).",
        ),
        (
            "p.py --to 3@0",
            1,
            "`--to 3@0` must be a line (`120`), a function (`train_step`) or one of its calls (`train_step@3`).",
        ),
        ("p.py --seconds inf", 1, "`--seconds` must be a positive number of seconds, not `inf`."),
        ("p.py --words it's", 1, "There's no words file it's. Name one, such as words/ko.yml."),
        ("p.py --words ko.yml", 1, "There's no words file ko.yml. Name one, such as words/ko.yml."),
        ("p.py --words p.py", 1, "p.py isn't named after a language. Rename it like words/ko.yml."),
        ("p.py --words xx.yml", 1, "xx.yml"),
    ],
)
def test_what_cannot_be_done_is_a_sentence_before_the_program_runs(here, arguments, code, sentence):
    done = CliRunner().invoke(main, ["trace", *arguments.split()])
    assert (done.exit_code, type(done.exception)) == (code, SystemExit)
    assert sentence in done.stderr
    assert done.stdout == "" and not (here / "ran").exists()
    assert (here / "p.py").read_text() == PROGRAM


def test_without_torch_it_says_what_to_install(here, monkeypatch):
    monkeypatch.setattr("weaver.tracing.command.has_torch", lambda: False)
    done = CliRunner().invoke(main, ["trace", "p.py", "--json"])
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        "Error: `weaver trace` needs torch, which isn't installed. Install it: pip install torch\n"
    )


def run(*arguments, **options):
    """Run the command, its output as bytes."""
    warm.nursery(warm.TRACE, os.environ)
    command = warm.forked([*COMMAND, *arguments], os.environ)
    return subprocess.run(command, capture_output=True, timeout=HANG, **options)


def traced(path):
    """Return the steps and the error that the command tells of a program, whose exit code it has."""
    done = run(path, "--json")
    data = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (int(bool(data["error"])), b"")
    return [step["line"] for step in data["steps"]], data["error"]


@pytest.mark.parametrize(
    ("program", "lines", "error"),
    [
        (b"", [], None),
        (b"# nothing\n\n# to do", [], None),
        (
            b"# coding: rot13\nvzcbeg gbepu\n",
            [],
            "SyntaxError: ",
        ),
        (b"x = 1\ny = 'caf\xe9'\n", [], "SyntaxError: (unicode error) 'utf-8' codec can't decode"),
        (b"# coding: latin-1\nx = 1\ny = 'caf\xe9'\n", [2, 3], None),
        (b"x = 1\nif x\n  y = 2\n", [], "SyntaxError: expected ':' (p.py, line 2)"),
        (b"x = 1\ny = (0" + b" + x" * 2500 + b")\n", [1, 2], None),
        (b"raise ValueError('x' * 3_000_000)\n", [1], "ValueError: xxx"),
        (b"raise ExceptionGroup('both', [ValueError(1), KeyError()])\n", [1], "ExceptionGroup: both (2 sub-"),
    ],
    ids=["empty", "comments", "rot13", "latin-1", "cookie", "syntax", "sum", "message", "group"],
)
def test_any_file_is_a_program_or_says_what_is_wrong_with_it(here, program, lines, error):
    (here / "p.py").write_bytes(program)
    found = traced("p.py")
    assert found[0] == lines
    assert (found[1] or "").startswith(error or "") and bool(found[1]) == bool(error)
    assert "line 0" not in (found[1] or "")


def test_a_text_that_is_too_deep_for_python_ends_as_without_us(here):
    (here / "p.py").write_text(f"x = 0{' + 1' * 5000}\n")
    plain = subprocess.run([sys.executable, "p.py"], capture_output=True, timeout=HANG)
    found = traced("p.py")
    assert found == (([], found[1]) if plain.returncode else ([1], None))
    assert (found[1] or "").encode() in plain.stderr


def test_a_program_without_a_statement_has_a_page(here):
    (here / "p.py").write_bytes(b"# nothing\n")
    done = CliRunner().invoke(main, ["trace", "p.py", "-o", "page.html"])
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.startswith("page.html: 0 steps recorded, ")
    assert "# nothing" in (here / "page.html").read_text("utf-8")


def test_names_that_are_no_utf_8_are_read_and_written(here):
    name = b"p\xff.py"
    (here / os.fsdecode(name)).write_text(PROGRAM)
    done = run(name, "-o", b"q\xff.html")
    assert (done.returncode, done.stdout) == (0, b"end\n")
    assert "4 steps" in done.stderr.decode()
    assert b"torch.ones" in (here / os.fsdecode(b"q\xff.html")).read_bytes()


def test_without_a_working_directory_it_says_where_to_go(here, monkeypatch):
    gone = here / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    done = CliRunner().invoke(main, ["trace", str(here / "p.py"), "--json"])
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "Error: The working directory is gone. Change to one that exists.\n"
    assert shown(here / "p.py") == str(here / "p.py")


@pytest.mark.parametrize(
    ("ending", "code", "said"),
    [
        ("os._exit(0)", 0, "ended abruptly"),
        ("os._exit(7)", 7, "ended abruptly"),
        ("os.kill(os.getpid(), 9)", 137, "was killed"),
    ],
)
def test_a_program_that_takes_its_trace_with_it_has_a_page_that_says_so(here, ending, code, said):
    (here / "p.py").write_text(f"import os\n{ending}\n")
    done = run("p.py", "--json")
    assert done.returncode == code and json.loads(done.stdout)["steps"] == []
    assert done.stderr.decode().startswith(f"The program {said}")


@pytest.mark.parametrize(
    ("ending", "code", "said"),
    [
        ("pass", 0, ""),
        ("sys.exit(3)", 3, ""),
        ("sys.exit('why')", 1, "why\n"),
        ("raise ValueError('bad')", 1, "ValueError: bad\n"),
        ("raise KeyboardInterrupt", 130, "KeyboardInterrupt\n"),
    ],
)
def test_a_program_runs_as_on_its_own_and_has_a_page(here, ending, code, said):
    (here / "p.py").write_text(
        f"import sys\nprint(input('who? '))\nprint('no', file=sys.stderr)\nprint('end')\n{ending}\n"
    )
    plain = subprocess.run([sys.executable, "p.py"], input=b"me", capture_output=True, timeout=HANG)
    done = run("p.py", input=b"me")
    assert (done.returncode, done.stdout) == (code, plain.stdout) == (code, b"who? me\nend\n")
    shown, _, last = done.stderr.decode().rpartition("p.trace.html: ")
    assert shown == plain.stderr.decode() and shown.endswith(said) and last.startswith("5 steps recorded, ")
    assert "Step through: p.py" in (here / "p.trace.html").read_text("utf-8")


def test_what_it_prints_is_seen_at_once_and_ctrl_c_writes_the_page_up_to_there(here):
    (here / "p.py").write_text(
        "import time, torch\ni = 0\nprint('begun', flush=True)\nwhile True:\n    i += 1\n    time.sleep(0.01)\n"
    )
    with subprocess.Popen([*COMMAND, "p.py"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        assert command.stdout.readline() == b"begun\n"
        command.send_signal(signal.SIGINT)
        assert command.wait(HANG) == 130
        told = command.stderr.read().decode()
    assert re.search(
        r"p\.py\", line \d+, in <module>\n.*\n(.*\n)?KeyboardInterrupt\np\.trace\.html: \d+ steps", told
    )
    assert "/weaver/" not in told
    assert unpacked((here / "p.trace.html").read_text("utf-8"))[0]["trace"]["error"] == "KeyboardInterrupt"


def heard(terminal, told, until, times=1):
    """Return what a terminal has shown when `until` has come so many times."""
    while told.count(until) < times:
        assert select.select([terminal], [], [], HANG)[0], told
        told += os.read(terminal, 1 << 16)
    return told


def on_a_terminal(*command, stdin=None):
    """Start a command in a new terminal, from which stdin comes if it's no file; return both."""
    pid, terminal = pty.fork()
    if not pid:
        if stdin:
            os.dup2(os.open(stdin, os.O_RDONLY), 0)
        os.execv(command[0], command)
    return pid, terminal


@pytest.mark.parametrize("key", [True, False])
def test_an_interrupt_comes_to_a_program_once_whatever_its_stdin_is(here, key):
    (here / "p.py").write_text(
        "import signal, time\nhits = []\nsignal.signal(signal.SIGINT, lambda *_: hits.append(1))\n"
        "print('begun', flush=True)\nwhile not hits: time.sleep(0.01)\ntime.sleep(0.5)\nprint('hits', len(hits))\n"
    )
    pid, terminal = on_a_terminal(*COMMAND, "p.py", stdin="p.py")
    told = heard(terminal, b"", b"begun\r\n")
    if key:
        os.write(terminal, b"\x03")
    else:
        os.kill(pid, signal.SIGINT)
    assert b"hits 1\r\n" in heard(terminal, told, b"p.trace.html: ")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    os.close(terminal)


def test_a_last_line_without_an_end_stays_on_the_terminal(here):
    (here / "p.py").write_text("print('begun')\nprint('no end', end='')\n")
    pid, terminal = on_a_terminal(*COMMAND, "p.py")
    told = heard(terminal, b"", b"p.trace.html: ")
    os.waitpid(pid, 0)
    os.close(terminal)
    assert b"\x1b[Kbegun\r\nno end\r\n\r\x1b[K" in told


def test_where_no_child_records_the_program_the_caller_hears_when_it_is_done(here):
    job = protocol.write(TraceJob(b"p.py", (), Limits())).decode()
    code = "import sys, weaver.recording.record\nsys.platform = 'other'\nfrom weaver.tracing.process import main\nmain()"
    # unbuffered: two lines that arrive together would leave the second where `select` doesn't see it
    with subprocess.Popen([sys.executable, "-c", code, job], stdout=subprocess.PIPE, bufsize=0) as process:
        states = []
        while "done" not in states:
            assert select.select([process.stdout], [], [], HANG)[0], states
            states += [
                protocol.read(line, Told).state for line in [process.stdout.readline()] if line.strip()
            ]
        process.stdout.close()
        assert process.wait(HANG) == 0
    assert states == ["folder", "begun", "writing", "done"]


def test_on_a_terminal_a_program_is_in_front_and_ctrl_c_goes_to_it(here):
    (here / "p.py").write_text("import time\nprint(input())\ntime.sleep(1000)\n")
    pid, terminal = on_a_terminal(*COMMAND, "p.py")
    told = b""
    for sent, until, times in [(b"me\n", b"me\r\n", 2), (b"\x03", b"p.trace.html: ", 1)]:
        os.write(terminal, sent)
        told = heard(terminal, told, until, times)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 130
    assert b"KeyboardInterrupt" in told and b"/weaver/" not in told
    os.close(terminal)


def test_a_module_is_traced_by_its_name(here):
    (here / "pkg" / "sub").mkdir(parents=True)
    (here / "pkg" / "__init__.py").write_text("loaded = 1\n")
    (here / "pkg" / "sub" / "train.py").write_text(
        "import sys, torch\nfrom .. import loaded\nprint(loaded, __name__, __package__, __spec__.name, sys.argv[1:])\n"
    )
    (here / "pkg" / "__main__.py").write_text("print(__name__, __spec__.name)\n")
    for name, arguments in [("pkg.sub.train", ["--", "--lr", "3"]), ("pkg", [])]:
        plain = subprocess.run(
            [sys.executable, "-m", name, *arguments[1:]], capture_output=True, timeout=HANG
        )
        done = run("-m", name, *arguments)
        assert (done.returncode, done.stdout) == (0, plain.stdout) and plain.stdout
    for name in "pkg", "pkg.sub.train":
        assert f"<title>Step through: {name}</title>" in (here / f"{name}.trace.html").read_text("utf-8")
    for name in "pkg.nowhere", "p.nowhere":
        done = run("-m", name)
        assert done.returncode == 1
        assert done.stderr.decode() == (
            f"Error: There's no module `{name}` here. Change to the folder that holds it.\n"
        )


def test_a_programs_own_modules_are_stepped_into_and_others_if_asked_for(here):
    (here / "nets").mkdir()
    (here / "lib" / "site-packages").mkdir(parents=True)
    source = "import torch\nclass Net(torch.nn.Linear):\n    def forward(self, x):\n        return super().forward(x)\n"
    (here / "nets" / "net.py").write_text(source)
    (here / "lib" / "site-packages" / "other.py").write_text("def twice(x):\n    return x * 2\n")
    (here / "p.py").write_text(
        "import sys, torch\nsys.path.append('lib/site-packages')\nfrom nets.net import Net\nfrom other import twice\n"
        "class Holds: pass\nbox = Holds()\nbox.net = Net(1, 1)\nz = twice(box.net(torch.ones(1)))\n"
    )
    plain = json.loads(run("p.py", "--json").stdout)["steps"]
    assert [step["line"] for step in plain if step.get("file") == "nets/net.py"] == [4]
    assert {step.get("file") for step in plain} == {None, "nets/net.py"}
    assert "box.net.weight" in plain[-1]["tensors"]
    asked = json.loads(run("p.py", "--json", "--include", "lib/site-packages/other.py").stdout)["steps"]
    assert [step["line"] for step in asked if step["function"] == "twice"] == [2]


def test_a_file_that_runpy_runs_as_a_program_is_stepped_into(here):
    (here / "part.py").write_text("import torch\nw = torch.ones(1, requires_grad=True)\n(w * 2).backward()\n")
    (here / "p.py").write_text("import runpy, torch\nrunpy.run_path('part.py', run_name='__main__')\n")
    steps = json.loads(run("p.py", "--json").stdout)["steps"]
    assert [(step["line"], step["depth"]) for step in steps if step.get("file") == "part.py"] == [(1, 1), (2, 1), (3, 1)]
    assert [event["kind"] for event in steps[3]["engine"]][:1] == ["start"]


def test_a_page_opens_at_what_is_wrong_and_says_it_and_nothing_if_all_is_well(here):
    healthy = "import torch\nw = torch.ones(4, 1, requires_grad=True)\ny = torch.ones(4, 1)\n"
    healthy += "p = w * 2\nloss = ((p - y) ** 2).mean()\nloss.backward()\nprint('ends')\n"
    (here / "healthy.py").write_text(healthy)
    (here / "wrong.py").write_text(healthy.replace("torch.ones(4, 1)\n", "torch.ones(4)\n"))
    found = {}
    for name, words in [("healthy", ()), ("wrong", ()), ("wrong", ("--words", ROOT / "words/ko.yml"))]:
        run(f"{name}.py", *words, check=True)
        text = (here / f"{name}.trace.html").read_text("utf-8")
        body = text[text.index("<h1>") : text.index('<div id="trace">')]
        found[name, len(words)] = body, unpacked(text)[2].get("start")
    body, start = found["healthy", 0]
    assert "wt-found" not in body and start is None
    body, start = found["wrong", 0]
    assert "Probably not what you meant" in body and f'data-moment="{start}">wrong.py:5<' in body
    assert start == 5
    korean, again = found["wrong", 2]
    assert WHY_WORDS["ko"]["wrong"] in korean and again == start


def test_an_error_that_nothing_explains_is_on_top_with_the_line_that_raised_it(here):
    (here / "p.py").write_text("import torch\ndef f(x):\n    return x.view(5)\nfor i in range(2):\n    f(torch.ones(5 - i))\n")
    assert run("p.py").returncode == 1
    text = (here / "p.trace.html").read_text("utf-8")
    body = text[text.index("<h1>") : text.index('<div id="trace">')]
    assert ENGLISH["unexplained"] in body and ">p.py:3<" in body and "shape" in body
    (here / "p.py").write_text("import torch\nraise KeyboardInterrupt\n")
    run("p.py")
    assert "wt-found" not in (here / "p.trace.html").read_text("utf-8").partition('<div id="trace">')[0].partition("<h1>")[2]


def test_a_place_that_is_never_reached_is_told(here):
    (here / "own.py").write_text("def twice(x):\n    y = x\n    return y\n")
    (here / "p.py").write_text("from own import twice\ntwice(1)\n")
    for place in "trian_step", "5", "twice@2":
        done = run("p.py", "--from", place, "--json")
        assert (done.returncode, json.loads(done.stdout)["steps"]) == (0, [])
        assert done.stderr.decode() == f"The program never reached {place}, where watching should have started.\n"


@pytest.mark.parametrize("include", ["other", "other.twice", "linked"])
def test_what_is_included_is_named_as_a_package_a_module_or_a_path(here, tmp_path_factory, include):
    other = tmp_path_factory.mktemp("lib") / "other"
    other.mkdir()
    (other / "__init__.py").write_text("")
    (other / "twice.py").write_text("def twice(x):\n    return x * 2\n")
    (here / "linked").symlink_to(other.parent)
    source = "import random\nfrom other.twice import twice\nz = twice(random.randint(1, 2))\n"
    (here / "p.py").write_text(source)
    environment = {**os.environ, "PYTHONPATH": str(here / "linked")}
    command = [*COMMAND, "p.py", "--json", "--include", include]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=HANG)
    assert {step["function"] for step in json.loads(done.stdout)["steps"]} == {None, "twice"}


def test_python_and_torch_are_not_a_programs_own_wherever_it_lies(here):
    import random

    import torch

    program = Script(str(here / "p.py"), "x = 1\n", roots=(os.sep,))
    files = OwnFiles(program, SourceLines(program.source))
    installed = [random.__file__, torch.__file__, f"{sys.prefix}/own.py"]
    assert [files.offset(path) for path in installed] == [None] * 3
    assert files.offset(str(here / "soft.py")) == 1
    asked = OwnFiles(replace(program, roots=(random.__file__,)), SourceLines(program.source))
    assert asked.offset(random.__file__) == 1


def test_it_needs_nothing_of_a_sites(here):
    extras = [line for name in ("site", "labs") for line in PROJECT["optional-dependencies"][name]]
    wanted = {re.split("[<>=]", line)[0].lower().replace("_", "-") for line in extras}
    distributions = packages_distributions().items()
    blocked = [name for name, of in distributions if {one.lower().replace("_", "-") for one in of} & wanted]
    assert len(blocked) >= len(wanted) > 0 and len(PROJECT["dependencies"]) <= 6
    (here / "sitecustomize.py").write_text(f"import sys\nsys.modules.update(dict.fromkeys({blocked}))\n")
    (here / "p.py").write_text(
        "import torch\nx = torch.ones(2, requires_grad=True)\n(x * x).sum().backward()\n"
    )
    done = subprocess.run(
        [*COMMAND, "p.py"], env={**os.environ, "PYTHONPATH": str(here)}, capture_output=True, timeout=HANG
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"p.trace.html: 3 steps recorded, " in done.stderr


def test_nobody_has_to_read_what_it_prints(here):
    done = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *COMMAND, "p.py", "--json"], stderr=subprocess.PIPE, timeout=HANG
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert (here / "ran").exists()


def test_a_trace_is_the_same_in_every_process(here):
    (here / "p.py").write_text(
        "import torch\nx = torch.ones(2, requires_grad=True)\n"
        "ways = {'detach': x.detach(), 'clone': x.clone(), 'both': x.detach().clone(), 'data': x.data}\n"
        "kept = {one.data_ptr(): one for one in ways.values()}\nkept[7] = x\nprint(len(kept))\n"
    )
    told = []
    for seed in "1", "2":  # of Python's hashes: sets have another order
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [*COMMAND, "p.py", "--json"], env=environment, capture_output=True, timeout=HANG
        )
        told.append(json.loads(done.stdout))
    assert told[0] == told[1]
    names = [name for name in told[0]["steps"][-1]["tensors"] if name.startswith("kept")]
    assert names == ["kept[int 0]", "kept[int 1]", "kept[int 2]", "kept[7]"]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_a_signal_ends_it_with_all_that_it_started(here, name):
    scratch, mark = here / "scratch", f"{os.getpid()}-{name}"
    scratch.mkdir()
    (here / "p.py").write_text(
        "import subprocess\nsubprocess.Popen(['sleep', '1000'])\nopen('ran', 'w').close()\nwhile True: pass\n"
    )
    environment = {**os.environ, "TMPDIR": str(scratch), "MARK": mark}
    heard = partial(signal.signal, signal.SIGHUP, signal.SIG_DFL)  # also where `nohup` runs the tests
    with subprocess.Popen(
        [*COMMAND, "p.py"], env=environment, stderr=subprocess.PIPE, preexec_fn=heard
    ) as command:
        wait_for((here / "ran").exists)
        command.send_signal(signal.Signals[name])
        assert command.wait(HANG) == -signal.Signals[name]
        assert command.stderr.read() == b""
    wait_for(lambda: processes(f"MARK={mark}", "environ") == [])
    wait_for(lambda: list(scratch.iterdir()) == [])
