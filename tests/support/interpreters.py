"""What a program prints when it's pasted into an interpreter, where it has no file."""

import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from functools import cache

from support.shared import HANG, folder
from weaver.execution.normalise import normalise
from weaver.execution.snippets.result import Result
from weaver.execution.snippets.runner import OTHER, Runner
from weaver.execution.snippets.source import Snippet

RANK = re.compile(r"^\[rank0\]: ?", re.M)  # what torch.distributed puts before each line of a traceback
TRACE = re.compile(r'^(?=Traceback \(most recent|  File "<stdin>")', re.M)
# How a program could tell a paste from a run without its file, which `pasted` makes
TELLING = re.compile(r"__file__|\b(argv|inspect|linecache|stdin)\b|(?<![.\w])input\(|sys\.path")


def fresh(program: str) -> str:
    """Return what a fresh `python -` in an empty folder prints when `program` is pasted into it."""
    with tempfile.TemporaryDirectory() as work:
        done = subprocess.run(
            [sys.executable, "-u", "-"],
            input=program.encode(),
            cwd=work,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=HANG,
        )
    return done.stdout.decode()


@cache
def _elsewhere() -> Runner:
    return Runner(cache=folder() / "runs", seed=OTHER)


def pasted(*programs: Snippet) -> dict[str, Result]:
    """Return what comes of programs, by name, that have no file, aren't watched, and run in another world.

    They run with another seed, other hashes and other memory; each runs once in a session of tests.
    """
    return _elsewhere().run(replace(one, path=folder() / f"pasted/{one.name}.py") for one in programs)


def as_shown(printed: str, result: Result) -> str:
    """Return what an interpreter printed as a page shows it beside `result`: of an error, its last line."""
    printed = RANK.sub("", normalise(printed))
    if result.error and (parts := TRACE.split(printed, maxsplit=1))[1:]:
        before, trace = parts
        assert trace.rstrip("\n").endswith(f"\n{result.error}")
        printed = f"{before}{result.error}"
    return printed.rstrip("\n")
