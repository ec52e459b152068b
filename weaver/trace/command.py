"""Has a program traced in a process of its own."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from weaver.trace import compact
from weaver.trace.model import Limits, Trace


def trace(path: Path, arguments: Sequence[str] = (), limits: Limits = Limits()) -> Trace:  # noqa: B008
    """Run the program at `path` under watch, with its folder on `sys.path`, here and in our environment.

    An error in it is a result, and so is a program that does not end in time. One that dies without a
    word has a trace without steps, which says so in `stopped`.
    """
    with tempfile.TemporaryDirectory(prefix="weaver-trace-") as folder:
        job = Path(folder, "job.json")
        said = {"path": str(path), "arguments": list(arguments), "limits": asdict(limits), "folder": folder}
        job.write_text(json.dumps(said), "utf-8")
        worker = [sys.executable, "-m", "weaver.trace.process", str(job)]
        process = subprocess.Popen(worker, stdin=subprocess.DEVNULL)
        try:
            code = process.wait()
        except BaseException:  # also when its user has had enough of it
            process.terminate()
            process.wait()
            raise
        found = Path(folder, "trace.json")
        if found.exists():
            return compact.read(found.read_text("utf-8"))
        output = Path(folder, "output")
        printed = output.read_bytes()[: 1 << 20].decode("utf-8", "replace") if output.exists() else ""
        return Trace("", str(path), stopped=_death(code), printed_at_end=printed)


def _death(code: int) -> str:
    if code < 0 or code > 128:
        signal = -code if code < 0 else code - 128
        return f"The program was ended by signal {signal}, and took its trace with it."
    return f"The program ended itself with exit code {code}, as `os._exit` does, and took its trace with it."
