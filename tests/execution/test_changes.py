"""What changes from run to run: where a program may depend on it, and the other world that shows it."""

import datetime
import os
import platform
import socket
import time

import pytest
from support.project import answer, ask

from weaver.execution.changes import doubtful, doubts, never_same
from weaver.execution.elsewhere import world
from weaver.execution.protocol import TRACE
from weaver.execution.snippets.result import is_rounding
from weaver.execution.snippets.runner import Runner
from weaver.execution.snippets.source import Snippet, read

STEADY = [
    "import torch\nfrom torch import nn\nx = nn.Linear(1, 1).eval()\nprint(x.weight.shape)\n",
    "import copy, math, re\nfrom collections import Counter\nprint(Counter('aab'), math.pi)\n",
    "from torch.func import grad\nprint(grad)\n",
    "sets = {'a': 1}\nprint(sets.keys(), max(sets, key=sets.get))\n",
    "import torch\ndef f():\n    return torch.rand(1)\ntorch.manual_seed(0)\nprint(f())\n",
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
    "import torch\nx = torch.rand(2)\ntorch.manual_seed(0)\n": [("torch.manual_seed", 3)],
}


CHILD = "import subprocess, sys\nprint(subprocess.run([sys.executable, {}], capture_output=True).stdout)\n"
DATE = """'-c', 'import time; print(time.strftime("%Y"))'"""
SQL = "import sqlite3\nfound = sqlite3.connect('').execute('{}')\nprint(found.fetchone())\n"
CHANGING = {  # a program -> what its refusal says
    "import subprocess\nprint(subprocess.run(['date'], capture_output=True).stdout)\n": "start only sys.executable",
    "import os\nos.system('date')\n": "start only sys.executable",
    CHILD.format(DATE): "then `b'2",
    CHILD.format(f"'-I', {DATE}"): "must inherit the environment",
    CHILD.replace("capture", "env={{}}, capture").format(DATE): "must inherit the environment",
    "import numpy as np\nprint(np.datetime64('now'))\n": "`numpy.datetime64('now')`",
    "import numpy as np\nprint(np.array(['today'], dtype='datetime64[D]'))\n": "`numpy.array('today')`",
    SQL.format(r"select\n date(\'now\')"): "`select date('now')`",
    SQL.format("SELECT CURRENT_TIMESTAMP"): "`SELECT CURRENT_TIMESTAMP`",
    "import time\nprint(time.clock_gettime(time.CLOCK_REALTIME) // 100)\n": "`time.clock_gettime`",
    "import time\nprint(time.localtime().tm_year)\n": "`time.localtime`",
    "from datetime import datetime\nprint(datetime.fromtimestamp(0))\n": "`datetime.datetime.fromtimestamp`",
    "import os\nprint(os.listdir('/')[:3])\n": "`os.listdir`",
    "import glob\nprint(len(glob.glob('/etc/*')))\n": "`glob.glob`",
    "import torch\nx = torch.rand(2)\ntorch.manual_seed(0)\nprint(x)\n": "`torch.manual_seed`",
    "from datetime import datetime\nprint(datetime.today().year)\n": "`datetime.datetime.today`",
    "from email.utils import formatdate\nprint(formatdate()[:16])\n": "`email.utils.formatdate`",
    "import uuid\nprint(uuid.uuid1().int % 2)\n": "`uuid.uuid1`",
    "import uuid\nprint(uuid.uuid4().int % 2)\n": "`uuid.uuid4`",
    "import uuid\nprint(uuid.getnode())\n": "`uuid.getnode`",
    "import secrets\nprint(secrets.randbelow(2))\n": "`secrets.randbelow`",
    "import os\nprint(os.urandom(1)[0] % 2)\n": "`os.urandom`",
    "import random\nprint(random.SystemRandom().randrange(2))\n": "`random.SystemRandom`",
    "import random\nprint(random.Random(None).randrange(2))\n": "`random.Random`",
    "import numpy as np\nprint(np.random.default_rng().integers(2))\n": "`numpy.random.default_rng`",
    "import torch\nprint(torch.Generator().seed() % 2)\n": ".seed`",
    "print({'weight', 'bias'})\n": "uses the order of a set",
    "import torch\nprint(getattr(torch.ones(1), 'data_ptr')() % 1000)\n": "`data_ptr`",
    "print(__builtins__.id(object()) & 0xFFF)\n": "`__builtins__`",
    "print([*map(id, [[]])][0] & 0xFFFFFFF)\n": "`id`",
    "class A: ...\nprint(object.__repr__(A())[-5:])\n": "`object.__repr__`",
    "print(hex(hash(object()))[-3:])\n": "`hash`",
    "print(repr(object())[-4:])\n": "`repr`",
    "import tempfile\nprint(tempfile.gettempdir())\n": "`tempfile.gettempdir`",
    "print(open('/etc/hostname').read())\n": "Another machine may lack it",
    "import os\nprint(len(os.environ['PATH']))\n": "`os.environ`",
    "from pathlib import Path\nprint(Path.home())\n": "`pathlib.Path.home`",
    "import os\nprint(os.cpu_count())\n": "`os.cpu_count`",
    "import torch\nprint(torch.get_num_interop_threads())\n": "`torch.get_num_interop_threads`",
    "import platform\nprint(platform.platform())\n": "`platform.platform`",
    "import socket\nprint(socket.gethostname())\n": "then `elsewhere`",
    "import getpass\nprint(getpass.getuser())\n": "then `elsewhere`",
}
UNCHANGING = [
    CHILD.format("'-c', 'print(1)'"),
    "import os, tempfile\nwith tempfile.TemporaryDirectory() as folder:\n    print(os.listdir(folder))\n",
    "import numpy as np\nprint(np.datetime64('2020-01-01'), 'now')\n",
    "import random, numpy as np\nprint(random.Random(0).random(), np.random.default_rng(0).random())\n",
    "import torch\nx = torch.ones(2)\nprint(x.data_ptr() == x.detach().data_ptr(), id(x) == id(x))\n",
    "print(sorted({'a', 'b'}), len({'a', 'b'}))\n",
]


@pytest.mark.parametrize("source", STEADY)
def test_a_program_that_asks_nothing_of_the_system_cannot_change(source):
    assert doubts(source) == ()


@pytest.mark.parametrize("source", DOUBTED)
def test_what_a_program_may_depend_on_is_named_with_its_line(source):
    assert list(doubts(source)) == DOUBTED[source]


@pytest.mark.parametrize(
    "asked, depends", [("x.grad:.2f", False), ("x!r", False), ("hash('abc'):d", True), ("{'a', x}!r", True)]
)
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


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """What came of each program that changes, and of those that don't."""
    path = tmp_path_factory.mktemp("changing") / "x.py"
    sources = [*CHANGING, *UNCHANGING]
    with Runner() as runner:
        found = runner.run([Snippet(f"t/{number}", path, source) for number, source in enumerate(sources)])
    return dict(zip(sources, found.values(), strict=True))


@pytest.mark.parametrize("source", CHANGING)
def test_what_changes_is_refused_by_what_it_depends_on(source, judged):
    assert judged[source].rule == "changes_from_run_to_run"
    assert CHANGING[source] in judged[source].failure


def test_what_asks_the_system_and_prints_the_same_is_published(judged):
    assert [judged[source].failure for source in UNCHANGING] == [None] * len(UNCHANGING)


def test_a_program_that_measures_and_prints_what_holds_is_published(program):
    source = (
        "import time\nbegan = time.perf_counter()\ntime.sleep(0.001)\nprint(time.perf_counter() > began)\n"
    )
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


def test_a_trace_in_which_another_processor_rounds_differently_is_published(program):
    source = "import torch\ntorch.manual_seed(0)\nx = torch.randn(60).tanh().log1p()\nid(x)\n"
    assert ask(program(source), "trace:").trace


@pytest.mark.parametrize(
    "one, other, expected",
    [
        ("[0.12345678, 7]", "[0.12345681, 7]", True),
        ("[1, 3e-9]", "[0.99999994, -2e-9]", True),
        ("[0.1234]", "[0.1235]", False),
        ("[4711]", "[4712]", False),
        ("[4711.0]", "[4712.0]", False),
        ('{"a": 0.5}', '{"b": 0.5}', False),
        ("[0.5]", "[0.5, 0.5]", False),
    ],
)
def test_rounding_is_told_from_other_numbers(one, other, expected):
    assert is_rounding(one, other) is expected


def test_a_program_that_ends_differently_elsewhere_is_refused(program):
    early = int(time.time()) + 200 * 86400
    source = f"# raises: ValueError\nimport time\nif time.time() < {early}:\n    raise ValueError('early')\n"
    with Runner() as runner:
        result = runner.run([program(source)])["t/x"]
    assert (
        result.rule == "changes_from_run_to_run"
        and "it declares ValueError but didn't raise it" in result.failure
    )


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
