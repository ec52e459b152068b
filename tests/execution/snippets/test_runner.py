"""The runner: faithful to `python file.py`, isolated, refusing what cannot be published."""

import os
import random
import signal
import subprocess
import sys
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from support.project import CASES, answer, ask, cases, forget, processes, query, refusals, warm_runner

from weaver.execution import launch
from weaver.execution.cache import Cache
from weaver.execution.labs.model import Lab, printed
from weaver.execution.labs.runner import Labs
from weaver.execution.protocol import TRACE
from weaver.execution.refusals import RULES
from weaver.execution.snippets import runner as module
from weaver.execution.snippets import server
from weaver.execution.snippets.result import Result
from weaver.execution.snippets.runner import Runner
from weaver.execution.snippets.source import Snippet, read
from weaver.recording import compact

REFUSED = {path.stem: path for path in (CASES / "refused").glob("*/*.py")}


@pytest.fixture(scope="module")
def raw():
    """What each faithful case wrote, byte for byte, and how it ended, before anything is judged."""
    seen = {}
    judge = module.judge

    def keep(snippet, run, limit, elsewhere=None, is_drawn=False):
        if not elsewhere:
            seen.setdefault(snippet.name, (run.output, run.code))
        return judge(snippet, run, limit, elsewhere, is_drawn)

    with pytest.MonkeyPatch.context() as patch, Runner() as runner:
        patch.setattr(module, "judge", keep)
        runner.run(cases("faithful"))
    return seen


@pytest.mark.parametrize("snippet", cases("faithful"), ids=lambda s: s.name)
def test_a_child_writes_and_ends_as_a_fresh_python_does(snippet, raw, tmp_path):
    fresh = subprocess.run(
        [sys.executable, "-u", str(snippet.path)],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert raw[snippet.name] == (fresh.stdout, fresh.returncode)


def test_every_rule_has_a_case_and_every_case_is_of_a_rule():
    assert {path.parent.name for path in REFUSED.values()} == RULES.keys()


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_published_is_refused_by_its_rule_with_the_sentence_beside_it(name):
    path, refused = REFUSED[name], refusals()[name]
    assert refused.rule == path.parent.name
    assert path.with_suffix(".txt").read_text().strip() in refused.failure


def test_the_others_finish_whatever_a_snippet_does():
    assert {refusals()[snippet.name].failure for snippet in cases("isolation")} == {None}


def test_nothing_that_a_refused_case_started_outlives_its_runner(tmp_path):
    mark = f"weaver-{os.getpid()}-{time.monotonic_ns()}"
    program = f"""
import os, subprocess, sys, time
for folder in (".", "/"):
    for session in (False, True):
        sleep = [sys.executable, "-c", "import time; time.sleep(1000)", {mark!r}]
        subprocess.Popen(sleep, start_new_session=session, cwd=folder, env={{}})
time.sleep(0.5)
"""
    with Runner() as runner:
        result = runner.run([_program(tmp_path, program)])["t/x"]
    assert "left a process running" in result.failure
    assert processes(mark, "cmdline") == []


def _children():
    return {one for file in Path("/proc/self/task").glob("*/children") for one in file.read_text().split()}


def test_a_server_that_was_started_before_it_is_needed_is_the_one_that_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "subprocess", subprocess)  # a child of this process
    before = _children()
    with Runner() as runner:
        runner.warm()
        [server] = _children() - before
        runner.warm()
        assert runner.run([_program(tmp_path, "print(1)")])["t/x"].output == "1\n"
        assert _children() - before == {server}
    assert _children() == before


def test_a_refused_result_is_not_kept(tmp_path):
    snippet = _program(tmp_path, "print('once')\nraise ValueError")
    with Runner(cache=tmp_path / "cache") as runner:
        assert runner.run([snippet])["t/x"].failure
        assert runner.run([snippet])["t/x"].failure
        assert (runner.ran, runner.reused) == (2, 0)


def test_a_served_program_that_failed_runs_again_only_after_an_edit(tmp_path):
    with Runner() as runner:
        runner.keeps_failures = True
        for source, ran in (("raise ValueError", 1), ("raise ValueError", 1), ("raise TypeError", 2)):
            assert runner.run([_program(tmp_path, source)])["t/x"].rule == "undeclared_exception"
            assert runner.ran == ran
        for ran in (3, 4):
            assert runner.run([_program(tmp_path, "import nowhere")])["t/x"].rule == "misses_a_package"
            assert runner.ran == ran


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_no_snippet_changes_anything_for_another_in_any_order_with_any_number_of_workers(alone, workers):
    rng = random.Random(workers)
    order = [replace(case, name=f"{case.name}/{round}") for round in range(3) for case in cases("isolation")]
    rng.shuffle(order)
    with Runner(workers=workers) as runner:
        found = runner.run(order)
    assert [found[f"reports_its_world/{round}"] for round in range(3)] == [alone] * 3


@pytest.fixture(scope="module")
def alone():
    with Runner() as runner:
        [case] = [case for case in cases("isolation") if case.name == "reports_its_world"]
        return runner.run([case])[case.name]


def test_a_fresh_interpreter_per_snippet_gives_the_same_results_as_a_fork(every_page):
    snippets = [*cases("isolation"), *cases("faithful")][:: 1 if every_page else 8]
    with Runner(fork=True) as forking, Runner(fork=False) as starting:
        forked, started = forking.run(snippets), starting.run(snippets)
    different = [name for name in forked if forked[name] != started[name]]
    assert different == []


def test_output_lines_know_the_line_that_printed_them(tmp_path):
    program = 'import warnings\nfor i in range(2):\n    print(f"{i}\\nnext")\nwarnings.warn("w")\n'
    program += '\n\ndef f():\n    print("in f")\n\n\nf()\n'
    lines = _result(tmp_path, program).lines
    assert [(line.text, line.source, line.kind) for line in lines] == [
        ("0", 3, "out"),
        ("next", 3, "out"),
        ("1", 3, "out"),
        ("next", 3, "out"),
        ("UserWarning: w", 4, "err"),
        ("in f", 8, "out"),
    ]


def test_of_an_announced_error_the_last_line_of_the_traceback_is_shown(tmp_path):
    result = _result(tmp_path, "# raises: ValueError\nprint(1)\nraise ValueError('two\\nlines')\n")
    assert result.output == "1\nValueError: two\nlines\n"
    assert [(line.source, line.kind) for line in result.lines] == [(2, "out"), (3, "raised"), (3, "raised")]
    assert result.error == "ValueError: two\nlines"


def test_queries_see_the_variables_after_the_end_and_leave_the_output_alone(tmp_path):
    snippet = _program(tmp_path, "import torch\nx = torch.tensor(1 / 3)\nprint('out')\nx = x * 2\n")
    queries = ["text:x.item():.4f", "text:print('not in the output')", "text:y", "data:list(x.shape)"]
    result = ask(snippet, *queries)
    assert result.output == "out\n"
    assert answer(result, "text:x.item():.4f") == ("0.6667", None)
    assert answer(result, "text:y") == (None, "NameError: name 'y' is not defined")
    assert answer(result, "data:list(x.shape)") == ("[]", None)
    assert result.names == ("torch", "x")


def test_an_unchanged_snippet_comes_from_the_cache_and_a_changed_one_does_not(tmp_path):
    cache = tmp_path / "cache"
    first = _program(tmp_path, "print(1)\n")
    with Runner(cache=cache) as runner:
        runner.run([first])
        assert (runner.ran, runner.reused) == (1, 0)
    with Runner(cache=cache) as runner:
        assert runner.run([first])["t/x"].output == "1\n"
        assert (runner.ran, runner.reused) == (0, 1)
        assert runner.run([_program(tmp_path, "print(2)\n")])["t/x"].output == "2\n"
        asked = runner.run([first], {"t/x": [query("text:1 + 1")]})["t/x"]
        assert answer(asked, "text:1 + 1") == ("2", None)
        assert runner.ran == 2


def test_a_killed_caller_leaves_no_process_and_a_cache_that_works(tmp_path):
    program = f"""
from pathlib import Path
from weaver.execution.snippets.runner import Runner
from weaver.execution.snippets.source import Snippet
snippets = [
    Snippet(f"t/x{{i}}", Path("x.py"), f"import time; time.sleep(0.03 * ({{i}} > 5)); print({{i}})") for i in range(40)
]
with Runner(cache=Path({str(tmp_path)!r})) as runner:
    runner.request((s, ()) for s in snippets)
    print("going", flush=True)
    print(sorted((name, r.output) for name, r in runner.results().items()), runner.reused)
"""
    for patience in (0.0, 1.6, 1.9, 2.2, None):  # None: until some results are kept
        caller = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        caller.stdout.readline()
        while patience is None and not any(tmp_path.iterdir()):
            time.sleep(0.01)
        time.sleep(patience or 0)
        caller.send_signal(signal.SIGKILL)
        caller.wait()
    time.sleep(0.3)
    whole = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    expected = sorted((f"t/x{i}", f"{i}\n") for i in range(40))
    assert whole.stdout.split("\n")[1].startswith(str(expected)), whole.stderr


def test_a_thousand_snippets_do_not_block_the_pipes(tmp_path):
    source = "print('x' * 3000)\n" + "#" * 2000
    snippets = [Snippet(f"t/x{i}", Path("x.py"), f"{source}{i}") for i in range(300)]
    with Runner() as runner:
        assert {result.output for result in runner.run(snippets).values()} == {"x" * 3000 + "\n"}


def _program(folder, source):
    path = folder / "x.py"
    path.write_text(source)
    return read(path, "t/x")


def _result(folder, source) -> Result:
    return warm_runner().run([_program(folder, source)])["t/x"]


def test_a_program_that_imports_a_file_beside_it_is_refused(tmp_path):
    (tmp_path / "helper.py").write_text("V = 1\n")
    assert "imports helper from its own folder" in _result(tmp_path, "import helper\nprint(helper.V)\n").failure
    assert not (tmp_path / "__pycache__").exists()


def test_a_job_leaves_those_alone_whose_folder_begins_like_its_own(tmp_path):
    slow = [
        Snippet(f"t/x{i}", Path("x.py"), f"import time; time.sleep({1.5 if i == 0 else 0.3}); print({i})")
        for i in range(13)
    ]
    with Runner(workers=2) as runner:
        assert [result.failure for result in runner.run(slow).values()] == [None] * 13


def test_a_fork_that_also_comes_to_the_end_reports_nothing(tmp_path):
    program = "import os\nchild = os.fork()\nif child:\n    os.waitpid(child, 0)\nprint('both')\n"
    result = _result(tmp_path, program)
    assert (result.output, result.failure) == ("both\nboth\n", None)


def test_an_error_does_not_continue_the_line_before_it(tmp_path):
    result = _result(tmp_path, "# raises: ValueError\nprint('a', end='')\nraise ValueError('b')\n")
    assert result.output == "a\nValueError: b\n"


def test_a_value_that_begins_with_a_brace_is_evaluated(tmp_path):
    result = ask(_program(tmp_path, "x = 1\n"), "text:{i for i in (1, 2)}", "text:exit()")
    assert answer(result, "text:{i for i in (1, 2)}") == ("{1, 2}", None)
    assert answer(result, "text:exit()")[1].startswith("SystemExit")


def test_a_full_disk_costs_the_cache_and_not_the_build(tmp_path, monkeypatch):
    def full(*_):
        raise OSError("No space left on device")

    with Runner(cache=tmp_path / "cache") as runner:
        monkeypatch.setattr(Path, "write_bytes", full)
        assert runner.run([_program(tmp_path, "print(1)\n")])["t/x"].output == "1\n"


def test_what_goes_wrong_while_listening_is_raised_where_one_waits(tmp_path, monkeypatch):
    def broken(*_, **named):
        raise RuntimeError("broken judge")

    monkeypatch.setattr(module, "judge", broken)
    with Runner() as runner, pytest.raises(RuntimeError, match="broken judge"):
        runner.run([_program(tmp_path, "print(1)\n")])


def test_a_runner_that_was_closed_runs_again(tmp_path):
    runner = Runner()
    runner.request([(_program(tmp_path, "import time; time.sleep(5)\n"), ())])
    runner.close()
    assert runner.run([_program(tmp_path, "print(1)\n")])["t/x"].output == "1\n"
    runner.close()


def test_variables_of_the_callers_environment_reach_no_program(tmp_path, monkeypatch):
    monkeypatch.setenv("ATEN_CPU_CAPABILITY", "default")
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    program = "import os\nprint([n for n in os.environ if n.startswith(('ATEN', 'PYTHON', 'GLIBC'))])\n"
    with Runner() as runner:
        assert runner.run([_program(tmp_path, program)])["t/x"].output == "[]\n"


CHAIN = """
import os, sys
pid, chain = os.getpid(), []
while pid not in (0, 1, {build}):
    chain.append(open(f"/proc/{{pid}}/environ").read())
    pid = int(open(f"/proc/{{pid}}/stat").read().rsplit(")", 1)[1].split()[1])
print(pid == {build}, [text for text in chain if "SECRET" in text])
"""


def test_no_process_between_a_program_and_the_build_has_the_builds_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET", "1")
    chain, labs = CHAIN.format(build=os.getpid()), Labs(tmp_path)
    labs.request([(Lab("labs/it", (chain,)), [])])
    with Runner() as runner:
        assert runner.run([_program(tmp_path, chain)])["t/x"].output == "True []\n"
    assert printed(labs.results()["labs/it"].outputs[0]) == "True []\n"
    labs.close()


def test_a_result_that_was_forged_in_the_cache_is_not_there(tmp_path):
    snippet, cache = _program(tmp_path, "print(1)\n"), tmp_path / "cache"
    for forged in (b"", b"[]", b"\xff", b'{"lines": 3}'):
        with Runner(cache=cache) as runner:
            key = runner._key(snippet, ())
            Cache(cache).write(key, forged)
            assert runner.run([snippet])["t/x"].output == "1\n"
            assert (runner.ran, Cache(cache).message(key, Result).output) == (1, "1\n")


def test_a_limit_of_the_shell_on_files_is_named(tmp_path):
    program = """
from pathlib import Path
from weaver.execution.snippets.runner import Runner
from weaver.execution.snippets.source import read
with Runner(workers=1) as runner:
    print(runner.run([read(Path("x.py"), "t/x")])["t/x"].failure)
"""
    _program(tmp_path, "for i in range(12_000):\n    print(i)\n")
    sentence = "couldn't write its report: `ulimit -f` limits files to {} KiB. Increase it."
    for blocks, said in (("200", sentence), ("20000", "None")):
        limited = ["sh", "-c", 'ulimit -f "$1"; exec "$2" -c "$3"', "sh", blocks, sys.executable, program]
        done = subprocess.run(limited, cwd=tmp_path, capture_output=True, text=True)
        assert done.stdout in (said.format(100) + "\n", said.format(200) + "\n"), done.stderr  # shells differ


def test_what_the_processes_of_a_program_load_is_loaded_once_before_it_begins(tmp_path):
    loaded = "import sys\nprint('torch._dynamo' in sys.modules)\n"
    wraps = "# DistributedDataParallel, in processes of its own\n"
    with Runner() as runner:
        outputs = [runner.run([_program(tmp_path, source)])["t/x"].output for source in (loaded, wraps + loaded)]
    assert outputs == ["False\n", "True\n"]


def test_programs_that_load_less_of_torch_run_first(tmp_path):
    loaded = "import sys\nprint('torch._dynamo' in sys.modules)\n"
    sources = {"t/compiles": f"# torch.compile\n{loaded}", "t/steps": f"# optim\n{loaded}", "t/adds": loaded}
    with Runner(workers=1) as runner:
        results = runner.run(Snippet(name, Path("x.py"), source) for name, source in sources.items())
    assert {name: result.output for name, result in results.items()} == {
        **dict.fromkeys(sources, "True\n"),
        "t/adds": "False\n",
    }


def traced(path, source):
    path.write_text(source)
    return warm_runner().run([read(path, "t/x")], {"t/x": [TRACE]})["t/x"]


def test_a_trace_is_of_the_program_as_it_prints_without_it(tmp_path):
    source = "# raises: ZeroDivisionError\nfor i in range(2):\n    print(i)\n1 / 0\n"
    found = compact.read(traced(tmp_path / "x.py", source).trace)
    assert [step.line for step in found.steps] == [2, 3, 2, 3, 2, 4]
    assert "".join(step.printed for step in found.steps) == "0\n1\n"
    assert (found.program, found.error) == ("x.py", "ZeroDivisionError: division by zero")


@pytest.mark.parametrize(
    ("expected", "runs"),
    [("1\n", ["watched"]), (None, ["plain", "watched"]), ("2\n", ["watched", "plain"])],
    ids=["what it prints", "nothing", "something else"],
)
def test_a_program_that_prints_what_is_expected_runs_once_and_watched(tmp_path, expected, runs):
    note = f"os.write(os.open('{tmp_path}/runs', os.O_APPEND | os.O_CREAT | os.O_WRONLY), way)\n"
    way = "way = b'watched ' if threading.gettrace() else b'plain '\n"
    snippet = _program(tmp_path, f"import os, threading\n{way}{note}x = 1\nprint(x)\n")
    if expected:
        snippet.expected_path.write_text(expected)
    asked = {"t/x": [TRACE, query("text:x")]}
    with Runner(seed=1) as runner:
        found = runner.run([snippet], asked)["t/x"]
    assert (found.output, answer(found, "text:x"), bool(found.trace)) == ("1\n", ("1", None), True)
    assert (tmp_path / "runs").read_text().split() == runs


def test_a_program_that_prints_another_thing_when_watched_is_judged_by_a_plain_run(tmp_path):
    (tmp_path / "x.out").write_text("True\n")
    found = traced(tmp_path / "x.py", "import threading\n\nprint(threading.gettrace() is None)\n")
    assert (found.rule, found.output) == ("prints_another_thing_when_watched", "True\n")


def test_a_program_that_ends_when_watched_is_judged_by_a_plain_run(tmp_path):
    (tmp_path / "x.out").write_text("1\n")
    found = traced(tmp_path / "x.py", "import os, threading\nif threading.gettrace():\n    os._exit(3)\nprint(1)\n")
    assert (found.failure, found.trace, found.output) == (None, None, "1\n")


def test_a_program_that_ends_while_its_graph_is_recorded_is_refused_for_that(tmp_path):
    source = "import os, threading\nimport torch\nx = torch.ones(1)\nif threading.gettrace():\n    os._exit(3)\n"
    found = warm_runner().run([_program(tmp_path, source)], {"t/x": [query("graph:x")]})["t/x"]
    assert found.failure.startswith("exited early with code 3") and "while its graph was recorded" in found.failure


def test_a_program_that_measures_is_asked_after_a_plain_run(tmp_path):
    snippet = _program(tmp_path, "import sys\nx = sys.gettrace() is None\n")
    snippet.expected_path.write_text("")
    assert answer(warm_runner().run([snippet], {"t/x": [TRACE, query("text:x")]})["t/x"], "text:x") == ("True", None)


def test_what_prints_another_thing_line_by_line_is_refused(tmp_path):
    found = traced(tmp_path / "x.py", "import threading\nprint(threading.gettrace() is None)\n")
    assert found.rule == "prints_another_thing_when_watched" and "line by line" in found.failure


@pytest.mark.parametrize(
    "source",
    [
        "import sys\nprint(sys.gettrace() is None)\n",  # it measures
        "import os, threading\nif threading.gettrace():\n    os._exit(3)\n",
        "import os, threading\nif threading.gettrace():\n    os.abort()\n",
    ],
)
def test_a_program_of_which_no_trace_can_be_made_is_published_without(tmp_path, source):
    found = traced(tmp_path / "x.py", source)
    assert (found.failure, found.trace) == (None, None)


def test_a_program_that_is_no_python_has_a_trace_without_steps(tmp_path):
    found = traced(tmp_path / "x.py", "# raises: SyntaxError\nif True\n")
    assert found.failure is None and compact.read(found.trace).steps == []


def test_what_is_forgotten_while_it_runs_is_dropped(tmp_path):
    slow, other = (Snippet(name, tmp_path / f"{name}.py", code) for name, code in (("slow", "import time; time.sleep(0.5)"), ("other", "print(1)")))
    with Runner(workers=1) as runner:
        runner.request([(slow, ())])
        forget(runner)
        assert runner.run([other])["other"].output == "1\n" and runner.results().keys() == {"other"}


def test_what_goes_wrong_while_nobody_waits_is_raised_to_who_asks_later(tmp_path, monkeypatch):
    def judge(*_, **__):
        raise ZeroDivisionError("in the thread that listens")

    monkeypatch.setattr(module, "judge", judge)
    with Runner() as runner:
        runner.request([(Snippet("t/x", tmp_path / "x.py", "print(1)"), ())])
        while not runner._broken:
            time.sleep(0.01)
        with pytest.raises(ZeroDivisionError):
            runner.results()


def test_what_has_run_so_far_is_told_without_waiting(tmp_path):
    fast, slow = Snippet("fast", tmp_path / "fast.py", "print(1)"), Snippet("slow", tmp_path / "slow.py", "import time; time.sleep(1)")
    with Runner(workers=1) as runner:
        runner.request([(fast, ()), (slow, ())])
        while not (there := runner.so_far()):
            time.sleep(0.01)
        assert there.keys() == {"fast"}
        assert runner.results().keys() == runner.so_far().keys() == {"fast", "slow"}


def test_a_small_report_is_read_into_little_memory(tmp_path):
    (tmp_path / "report.json").write_bytes(b"{}")
    tracemalloc.start()
    try:
        assert server._read(str(tmp_path / "report.json"), launch.FILE_LIMIT) == b"{}"
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
