"""Folders for runs: apart, gone afterwards, and those of killed processes gone with the next."""

import os
import signal
import subprocess
import sys

from weaver.execution.scratch import scratch

HOLD = "import sys, time; from pathlib import Path; from weaver.execution.scratch import scratch\n"
HOLD += "with scratch(Path(sys.argv[1])) as folder: print(folder, flush=True); time.sleep(1000)"


def test_it_lies_in_the_cache_and_is_gone_afterwards(tmp_path):
    with scratch(tmp_path) as one, scratch(tmp_path) as two:
        assert one != two and one.parent == two.parent == tmp_path / "runs"
    assert os.listdir(tmp_path / "runs") == []


def test_what_a_killed_process_left_goes_with_the_next_and_what_another_uses_stays(tmp_path):
    held = [
        subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    killed, kept = (process.stdout.readline().strip() for process in held)
    held[0].send_signal(signal.SIGKILL)
    held[0].wait()
    assert os.path.isdir(killed)
    with scratch(tmp_path):
        assert not os.path.exists(killed) and os.path.isdir(kept)
    held[1].kill()
    held[1].wait()


def test_without_a_cache_that_can_be_written_the_system_has_a_place(tmp_path):
    (tmp_path / "cache").write_text("a file")
    with scratch(tmp_path / "cache") as folder:
        assert folder.is_dir() and not folder.is_relative_to(tmp_path / "cache")
    assert not folder.exists()
