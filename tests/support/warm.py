"""Processes that begin as forks of one that has loaded what they need: a nursery.

There is one for each module that's run and for what an interpreter reads from its environment when it starts.
It ends with the process of the tests that started it. Who asks for a process gets a relay, which is its child,
ends as the fork does, and takes it along.
"""

import atexit
import gc
import hashlib
import importlib
import marshal
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import types
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from support.shared import HANG, folder

SERVER, LAB = "weaver.execution.snippets.server", "weaver.execution.labs.worker"
TRACE = "weaver.tracing.process"
LOADED = {  # a module that's run -> what its nursery imports
    SERVER: ("weaver.execution.snippets.worker", "weaver.execution.timer"),
    LAB: ("mkdocs_jupyter.convert", "nbclient", "weaver.execution.labs.plots", "weaver.execution.labs.kernel"),
    TRACE: ("torch", "weaver.recording.compact", "weaver.recording.program", "weaver.recording.record"),
    "weaver": ("click", "weaver.tracing.command"),
    "mkdocs": ("weaver.mkdocs.plugin", "mkdocs.commands.build", "material.plugins.search.plugin"),
}
AT_START = ("GLIBC", "LANG", "LC_", "LD_", "OPENBLAS", "PYTHON")  # how the names begin of what is read only then
RELAY = Path(__file__).with_name("relay.py")
nurseries: dict[str, subprocess.Popen] = {}  # the address of a nursery that this process started -> the process
starting = threading.Lock()
place = ""  # the folder of the addresses


class Popen(subprocess.Popen):
    """A process as `subprocess` starts it; a fork where it runs one of the modules in LOADED."""

    def __init__(self, command: Sequence[str], **options: object):
        super().__init__(forked(command, options.get("env") or os.environ), **options)


def forked(command: Sequence[str], env: Mapping[str, str]) -> Sequence[str]:
    """Return the command that starts a relay to a fork; the command itself where there's no nursery for it."""
    python, *arguments = command
    module = arguments[arguments.index("-m") + 1] if "-m" in arguments else ""
    address = nursery(module, env) if module in LOADED else None
    return [python, "-I", "-S", str(RELAY), address, *arguments] if address else command


def nursery(module: str, env: Mapping[str, str]) -> str | None:
    """Return the address of the nursery for a module and an environment; a process of ours starts it."""
    global place
    place = place or str(folder() / f"warm-{os.getpid()}")
    at_start = sorted((name, text) for name, text in env.items() if name.startswith(AT_START))
    address = f"{place}/{hashlib.sha256(repr([module, at_start]).encode()).hexdigest()[:16]}"
    with starting:
        if address not in nurseries and place.endswith(f"-{os.getpid()}"):
            os.makedirs(place, exist_ok=True)
            command = [sys.executable, "-u", "-m", "support.warm", module, address]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            nurseries[address] = process = subprocess.Popen(command, cwd=RELAY.parents[1], env=env, **pipes)
            assert process.stdout.readline() == b"\n", f"the nursery for {module} didn't start"
    return address if os.path.exists(address) else None


def use() -> None:
    """Have this process start servers of programs, labs and traces in this way."""
    for module in ("weaver.execution.snippets.runner", "weaver.execution.labs.runner", "weaver.tracing.run"):
        importlib.import_module(module).subprocess = types.SimpleNamespace(**vars(subprocess) | {"Popen": Popen})


def end() -> None:
    """End the nurseries, and wait for them: what they used counts for this process."""
    for process in nurseries.values():
        process.communicate(timeout=HANG)


def _load(module):
    for name in LOADED[module]:
        importlib.import_module(name)
    if module == SERVER:
        sys.modules["weaver.execution.snippets.worker"].preload()
    gc.collect()
    gc.freeze()


def _be(arguments, parent, folder, env, ends):
    """Be the process that a command starts: Python, with these arguments."""
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    tempfile.tempdir = None
    for own, end in enumerate(ends):
        os.dup2(end, own)
    os.closerange(3, 1 << 10)
    at = arguments.index("-m") + 1
    ours = str(os.getppid())  # a lab is told whose child it is, with whom it ends
    sys.argv[:] = [ours if one == parent else one for one in arguments[at:]]
    sys.path[:0] = [] if "-P" in arguments else [folder]
    code = 0
    try:
        runpy.run_module(arguments[at], run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int | None) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code or 0)


def _serve(module, address):
    """Fork what is asked for until nobody is there who would ask."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind(address)
    listening.listen(64)
    _load(module)
    print(flush=True)
    running = {}  # a descriptor that is readable when a process has ended -> the process, its relay
    relays = {}  # one that is readable when it's gone -> its process
    while True:
        ready, _, _ = select.select([0, listening, *running, *relays], [], [])
        for ended in running.keys() & {*ready}:
            pid, relay = running.pop(ended)
            relays.pop(relay, None)
            with suppress(OSError):
                relay.send(str(os.waitpid(pid, 0)[1]).encode())
            relay.close()
            os.close(ended)
        for gone in relays.keys() & {*ready}:
            os.kill(relays.pop(gone), signal.SIGTERM)
        if 0 in ready:
            os._exit(0)
        if listening in ready:
            relay, _ = listening.accept()
            job, ends, _, _ = socket.recv_fds(relay, 1 << 20, 3)
            if not (pid := os.fork()):
                _be(*marshal.loads(job), ends)
            running[os.pidfd_open(pid)] = pid, relay
            relays[relay] = pid
            for end in ends:
                os.close(end)


if __name__ == "__main__":
    del sys.path[0]
    place = os.path.dirname(sys.argv[2])
    if sys.argv[1] in ("mkdocs", "weaver"):
        use()
    _serve(*sys.argv[1:])
