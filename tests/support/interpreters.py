"""Interpreters into which a program is pasted: fresh ones, and forks of a warm one that print the same."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

STDIN = Path(__file__).with_name("stdin.py")


def fresh(program: str) -> str:
    """Return what a fresh `python -` in an empty folder prints when `program` is pasted into it."""
    with tempfile.TemporaryDirectory() as folder:
        finished = subprocess.run(
            [sys.executable, "-u", "-"],
            input=program.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
        )
    return finished.stdout.decode()


@contextmanager
def forked() -> Iterator[Callable[[str], str]]:
    """Yield what does as `fresh` does, in a twentieth of the time: see `stdin.py`."""
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-u", str(STDIN)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as warm:

            def paste(program: str) -> str:
                output = Path(place, "output")
                output.unlink(missing_ok=True)
                with tempfile.TemporaryDirectory(dir=place) as folder:
                    warm.stdin.write(json.dumps([program, folder, str(output)]) + "\n")
                    warm.stdin.flush()
                    assert warm.stdout.readline() == "\n", "the warm interpreter died"
                return output.read_bytes().decode()

            yield paste
