"""Programs that no page would publish, traced as a reader would: a result or a sentence, and nothing is left."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

CASES = sorted((Path(__file__).parents[1] / "cases/refused").rglob("*.py"))


def processes(mark):
    """Return the command lines of the processes that have a mark in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_text())
        except OSError:  # it has ended, or is somebody else's
            pass
    return found


@pytest.mark.every_page
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_hostile_program_ends_with_its_steps_or_a_sentence_and_leaves_nothing(path, tmp_path):
    mark = f"WEAVER_MARK={os.getpid()}-{time.monotonic_ns()}"
    name, _, value = mark.partition("=")
    here, scratch = tmp_path / "here", tmp_path / "scratch"
    here.mkdir(), scratch.mkdir()
    command = [sys.executable, "-m", "weaver", "trace", str(path), "--json", "--seconds", "3"]
    environment = {**os.environ, "TMPDIR": str(scratch), name: value}
    done = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, timeout=120)
    said = json.loads(done.stdout)
    assert said["steps"] or said["error"] or said["stopped"]
    assert "Traceback" not in done.stderr and "weaver/" not in done.stderr
    assert processes(mark) == []
    assert list(scratch.iterdir()) == []
