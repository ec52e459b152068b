"""When a program has had its time: for what it used or for doing nothing, and never as the machine is slow."""

import os
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager

import pytest
from support.wait import wait_for

from weaver.execution import timer
from weaver.execution.labs.model import Lab, printed
from weaver.execution.labs.runner import Labs
from weaver.execution.snippets.runner import Runner
from weaver.execution.snippets.source import Snippet
from weaver.execution.timer import Over, Timer, family, sentence

BUSY = "while True: pass"
ASLEEP = "import time; time.sleep(1000)"
IN_A_CHILD = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BUSY!r}])"
IN_A_THREAD = f"import threading; threading.Thread(target=exec, args=[{BUSY!r}]).start()"
NOW_AND_THEN = "import time\nwhile True: time.sleep(0.005)"
IN_MANY = "import subprocess, sys\nwhile True: subprocess.run([sys.executable, '-c', ''])"
BURN = "import time\nwhile time.thread_time() - began < 1:\n    pass\n"  # seconds of processor time


@contextmanager
def running(code, *before, session=True):
    """Run a program, behind a command that decides how. Sessions get equal shares of a processor."""
    process = subprocess.Popen([*before, sys.executable, "-c", code], start_new_session=session)
    try:
        yield process
    finally:
        for pid in family(process.pid):
            os.kill(pid, 9)
        process.wait()


@pytest.mark.parametrize(
    ("code", "over"),
    [
        (BUSY, Over.USED),
        (IN_A_CHILD, Over.USED),
        (IN_A_THREAD, Over.USED),
        (IN_MANY, Over.USED),
        (ASLEEP, Over.IDLE),
        (NOW_AND_THEN, Over.IDLE),
    ],
)
def test_it_is_over_for_processor_time_wherever_it_was_used_or_for_doing_nothing(code, over):
    with running(code) as process:
        assert wait_for(Timer(1, lambda: family(process.pid)).look) is over


def test_what_was_used_before_it_began_does_not_count():
    with running(BUSY) as process:
        before = Timer(1, lambda: family(process.pid))
        wait_for(before.look)
        after = Timer(1, lambda: family(process.pid))
        wait_for(lambda: after.look() or after.used > 0.3)
        assert after.used < 1 < before.used


def test_work_takes_back_the_time_in_which_nothing_was_done():
    code = "import time\nwhile True:\n    time.sleep(0.6)\n    exec('for _ in range(10**7): pass')"
    with running(code) as process:
        watched = Timer(2, lambda: family(process.pid), idle=2)
        assert wait_for(watched.look) is Over.USED


@contextmanager
def crowded(neighbours, session=True):
    """Have all that is started meanwhile share one core with this many busy processes."""
    cores = os.sched_getaffinity(0)
    with ExitStack() as stack:
        os.sched_setaffinity(0, {min(cores)})
        try:
            for _ in range(neighbours):
                stack.enter_context(running(BUSY, session=session))
            yield
        finally:
            os.sched_setaffinity(0, cores)


def test_a_program_that_hardly_ever_gets_a_processor_is_not_idle():
    with crowded(2, session=False), running(BUSY, "nice", "-n", "19", session=False) as process:
        watched = Timer(60, lambda: family(process.pid), idle=1)
        end = time.monotonic() + 3
        while time.monotonic() < end:
            assert watched.look() is None
            time.sleep(0.05)
        assert watched.used < 0.1 * 3


def test_programs_and_cells_come_to_their_end_on_a_busy_machine_though_the_clock_passes_their_limit(tmp_path):
    snippet = Snippet(
        "t/x", tmp_path / "x.py", f"import time\nbegan = time.thread_time()\n{BURN}print('end')\n"
    )
    lab = Lab(
        "labs/it",
        (
            f"import time\nclock, began = time.monotonic(), time.thread_time()\n{BURN}",
            "print(time.monotonic() - clock)\n",
        ),
    )
    labs = Labs(tmp_path, limit=2)
    with crowded(2), Runner(limit=2) as runner:
        labs.request([(lab, [])])
        runner.request([(snippet, [])])
        assert (runner.results()["t/x"].failure, runner.results()["t/x"].output) == (None, "end\n")
        outcome = labs.results()["labs/it"]
        labs.close()
    assert outcome.failure is None
    assert float(printed(outcome.outputs[1])) > labs.limit


def test_where_nothing_is_measured_the_clock_is_left_and_is_patient(monkeypatch):
    monkeypatch.setattr(timer, "MEASURES", False)
    watched, now = Timer(5, list), time.monotonic()
    for passed, over in ((49, None), (51, Over.CLOCK)):
        monkeypatch.setattr(timer.time, "monotonic", lambda passed=passed: now + passed)
        assert watched.look() is over
    assert sentence(Over.CLOCK, 5) == "was still running after 50 s"
