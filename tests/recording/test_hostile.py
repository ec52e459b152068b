"""Programs that no page would publish, traced as a reader would: a result or a sentence, and nothing is left."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.project import processes
from support.wait import HANG

FOLDER = Path(__file__).parents[1] / "cases"
CASES = sorted([*FOLDER.glob("refused/*/*.py"), *FOLDER.glob("isolation/*.py")])


@pytest.mark.every_page
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_hostile_program_ends_with_its_steps_or_a_sentence_and_leaves_nothing(path, tmp_path):
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    here, scratch = tmp_path / "here", tmp_path / "scratch"
    here.mkdir(), scratch.mkdir()
    command = [sys.executable, "-m", "weaver", "trace", str(path), "--json", "--seconds", "3"]
    environment = {**os.environ, "TMPDIR": str(scratch), "MARK": mark}
    done = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, timeout=HANG)
    said = json.loads(done.stdout)
    assert said["steps"] or said["error"] or said["stopped"]
    assert "Traceback" not in done.stderr and "weaver/" not in done.stderr
    assert processes(f"MARK={mark}", "environ") == []
    assert list(scratch.iterdir()) == []
