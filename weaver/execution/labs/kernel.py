"""What of ours runs inside a lab's kernel: before its first cell, and after its last."""

import builtins
import random
import sys
import threading
import time
from array import array

from weaver.execution import answers, protocol
from weaver.execution.generators import Generators
from weaver.execution.protocol import Query, Seen
from weaver.execution.snippets.supervision import adopt_orphans
from weaver.execution.snippets.worker import public

try:
    import fcntl
    import termios
except ImportError:  # Windows
    fcntl = None

OWN = {"In", "Out", "exit", "quit", "get_ipython", "open"}  # names that IPython puts there
generators: Generators | None = None


def begin() -> None:
    """Note the state of the random generators; let `exit()` be an error, as it is in a snippet."""
    global generators
    generators = Generators(None)
    shell = builtins.get_ipython()
    shell.user_ns["exit"] = shell.user_ns["quit"] = sys.exit
    for stream in (sys.stdout, sys.stderr):
        _in_order(stream)
    states = [random.getstate()]  # the kernel itself draws numbers between two cells
    shell.events.register("pre_run_cell", lambda info: random.setstate(states[-1]))
    shell.events.register("post_run_cell", lambda result: states.append(random.getstate()))


def _in_order(stream):
    """Let what is printed wait for what a child process has written to the same stream before.

    That comes through a pipe, which a thread of the stream reads.
    """
    write, waiting = stream.write, array("i", [0])

    def write_in_order(text):
        if threading.current_thread() is not stream.watch_fd_thread:
            while fcntl.ioctl(stream._fid, termios.FIONREAD, waiting) == 0 and waiting[0]:
                time.sleep(0.005)
        return write(text)

    if fcntl and getattr(stream, "watch_fd_thread", None):
        stream.write = write_in_order


def report(queries: str, path: str, limit: float) -> None:
    """Write to `path` what the variables answer to `queries`, a list as JSON, and their names."""
    main = sys.modules["__main__"]
    names = tuple(name for name in public(main) if name not in OWN)
    unseeded = tuple(generators.drawn_from())
    adopt_orphans()
    asked = protocol.read(queries, list[Query])
    given = answers.answer(asked, vars(main), limit, drawn=generators.drawn_from)
    with open(path, "wb") as file:
        file.write(protocol.write(Seen(given, names, unseeded)))
