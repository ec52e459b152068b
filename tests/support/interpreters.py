"""Interpreters into which a program is pasted: fresh ones, and forks of a warm one that print the same."""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from support.shared import kept
from weaver.execution.normalise import normalise
from weaver.execution.snippets.result import Result

STDIN = Path(__file__).with_name("stdin.py")
RANK = re.compile(r"^\[rank0\]: ?", re.M)  # what torch.distributed puts before each line of a traceback
TRACE = re.compile(r'^(?=Traceback \(most recent|  File "<stdin>")', re.M)


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


@cache
def warm() -> Callable[[str], str]:
    """Return what does as `fresh` does, in a thirtieth of the time: see `stdin.py`. It ends with this process."""
    place = tempfile.TemporaryDirectory()
    command = [sys.executable, "-u", str(STDIN)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def paste(program: str) -> str:
        output = Path(place.name, "output")
        output.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory(dir=place.name) as folder:
            process.stdin.write(json.dumps([program, folder, str(output)]) + "\n")
            process.stdin.flush()
            assert process.stdout.readline() == "\n", "the warm interpreter died"
        return output.read_bytes().decode()

    return paste


def pasted(program: str) -> str:
    """Return what a program prints when it is pasted; each is pasted once in a session of tests."""
    name = hashlib.sha256(program.encode()).hexdigest()
    return kept(f"pasted/{name}", lambda: warm()(program))


def as_shown(printed: str, result: Result) -> str:
    """Return what an interpreter printed as a page shows it beside `result`: of an error, its last line."""
    printed = RANK.sub("", normalise(printed))
    if result.error and (parts := TRACE.split(printed, maxsplit=1))[1:]:
        before, trace = parts
        assert trace.rstrip("\n").endswith(f"\n{result.error}")
        printed = f"{before}{result.error}"
    return printed.rstrip("\n")
