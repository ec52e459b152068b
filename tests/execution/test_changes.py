"""What changes from run to run: where a program may depend on it, and the other world that shows it."""

import datetime
import os
import platform
import socket
import time

import pytest
from support.project import answer, ask

from weaver.execution.changes import doubtful, doubts, never_same, world
from weaver.execution.protocol import TRACE
from weaver.execution.snippets.runner import Runner
from weaver.execution.snippets.source import Snippet, read

STEADY = [
    "import torch\nfrom torch import nn\nx = nn.Linear(1, 1).eval()\nprint(x.weight.shape)\n",
    "import copy, math, re\nfrom collections import Counter\nprint(Counter('aab'), math.pi)\n",
    "from torch.func import grad\nprint(grad)\n",
    "sets = {'a': 1}\nprint(sets.keys(), max(sets, key=sets.get))\n",
    "if True\n",
]
DOUBTED = {
    "import time\n": [("time", 1)],
    "import time as t\nprint(t.time())\n": [("time.time", 2)],
    "import os.path\nprint(os.getpid())\n": [("os.getpid", 2)],
    "from time import *\nprint(time())\n": [("from time import *", 1)],
    "from random import Random as R\nx = 1\ny = R()\n": [("random.Random", 3)],
    "import nobody_knows\nnobody_knows.f()\n": [("nobody_knows.f", 2)],
    "print({1}, {x for x in 'a'})\n": [("the order of a set", 1)],
    "print({}.keys() | {}.keys())\n": [("the order of a set", 1)],
    "import torch\ntorch.Generator().seed()\n": [("….seed", 2)],
}


@pytest.mark.parametrize("source", STEADY)
def test_a_program_that_asks_nothing_of_the_system_cannot_change(source):
    assert doubts(source) == ()


@pytest.mark.parametrize("source", DOUBTED)
def test_what_a_program_may_depend_on_is_named_with_its_line(source):
    assert list(doubts(source)) == DOUBTED[source]


@pytest.mark.parametrize("asked, depends", [("x.grad:.2f", False), ("x!r", False), ("hash('abc'):d", True), ("{'a', x}!r", True)])
def test_what_a_page_asks_of_a_program_may_change_too(asked, depends):
    assert doubtful("x = 1\n", [asked]) is depends


def test_the_other_world_is_a_year_ahead_faster_and_elsewhere_and_ends():
    real = time.time()
    clock, name, own = time.perf_counter, socket.gethostname(), os.getpid()
    with world(1):
        year = 365 * 86400
        assert time.time() - real > year and time.time_ns() / 1e9 - real > year
        for now in (datetime.datetime.now, datetime.datetime.utcnow, datetime.datetime.today):
            assert now().timestamp() - real > year - 86400
        assert (datetime.date.today() - datetime.date.fromtimestamp(real)).days > 365
        assert int(time.strftime("%Y%m")) > int(time.strftime("%Y%m", time.localtime(real))) + 100
        assert time.localtime().tm_yday != time.localtime(real).tm_yday
        assert time.gmtime(0).tm_year == 1970 and time.ctime(0) != time.ctime()
        assert {socket.gethostname(), platform.node(), os.uname().nodename} == {"elsewhere"}
        began, so_far = time.perf_counter(), clock()
        while clock() - so_far < 0.01:
            pass
        assert time.perf_counter() - began > 2 * 0.01
        assert os.getpid() == own
    assert abs(time.time() - real) < 60 and abs(datetime.datetime.now().timestamp() - real) < 60
    assert "today" not in vars(datetime.datetime) and socket.gethostname() == name


def test_this_world_is_left_as_it_is():
    before = time.time, socket.gethostname, vars(datetime.datetime)["now"]
    with world(0):
        assert (time.time, socket.gethostname, vars(datetime.datetime)["now"]) == before


@pytest.fixture
def program(tmp_path):
    def program(source):
        path = tmp_path / "x.py"
        path.write_text(source)
        return read(path, "t/x")

    return program


def test_a_program_that_measures_and_prints_what_holds_is_published(program):
    source = "import time\nbegan = time.perf_counter()\ntime.sleep(0.001)\nprint(time.perf_counter() > began)\n"
    result = ask(program(source), "text:1 + 1", "text:began")
    assert (result.output, result.failure) == ("True\n", None)
    assert answer(result, "text:1 + 1") == ("2", None)
    assert answer(result, "text:began") == (None, "it differs in every run")


def test_a_trace_in_which_something_changes_is_not_published(program):
    form = "import os, torch\nx = torch.tensor(float({}))\n"
    sources = form.format("os.getpid()"), form.format("len(os.sep)")
    with Runner() as runner:
        changing, steady = (runner.run([program(one)], {"t/x": [TRACE]})["t/x"] for one in sources)
    assert (changing.failure, changing.trace) == (None, None)
    assert steady.trace


def test_a_program_that_ends_differently_elsewhere_is_refused(program):
    early = int(time.time()) + 200 * 86400
    source = f"# raises: ValueError\nimport time\nif time.time() < {early}:\n    raise ValueError('early')\n"
    with Runner() as runner:
        result = runner.run([program(source)])["t/x"]
    assert result.rule == "changes_from_run_to_run" and "it declares ValueError but didn't raise it" in result.failure


def test_only_what_could_change_runs_again_and_is_kept_when_both_agree(tmp_path, program):
    doubted, steady = program("print(len({1, 2}))\n"), Snippet("t/y", tmp_path / "y.py", "print(2)\n")
    with Runner(cache=tmp_path / "cache") as runner:
        assert [one.output for one in runner.run([doubted, steady]).values()] == ["2\n", "2\n"]
        assert runner.ran == 2 and runner._elsewhere.ran == 1
    with Runner(cache=tmp_path / "cache") as runner:
        runner.run([doubted, steady])
        assert (runner.ran, runner.reused, runner._elsewhere) == (0, 2, None)


def test_what_changes_is_not_kept_and_is_judged_again(tmp_path, program):
    with Runner(cache=tmp_path / "cache") as runner:
        failed = [runner.run([program("import os\nprint(os.getpid())\n")])["t/x"].rule for _ in range(2)]
        assert failed == ["changes_from_run_to_run"] * 2
        assert runner.run([program("print(1)\n")])["t/x"].failure is None


def test_in_the_cells_of_a_lab_what_no_two_runs_have_in_common_is_found_across_cells():
    cells = [
        "import time\nimport numpy as np\nimport torch\nfrom random import Random",
        "x = 1\nprint(time.time())",
        "a = np.random.default_rng(0), np.random.default_rng()\nb = Random(1)\nc = Random()",
        "g = torch.Generator().manual_seed(1)\ng.seed()\nif True",
        "torch.seed()\ntime.sleep(1)",
    ]
    assert never_same(cells) == [
        (1, "time.time", 2),
        (2, "numpy.random.default_rng", 1),
        (2, "random.Random", 3),
        (4, "torch.seed", 1),
    ]
