"""What of ours runs inside a lab's kernel: before its first cell, and after its last."""

import builtins
import codecs
import gc
import importlib
import os
import random
import select
import sys
import threading
from contextlib import suppress

from ipykernel.iostream import OutStream

from weaver.execution import answers, protocol
from weaver.execution.generators import Generators
from weaver.execution.protocol import Query, Seen
from weaver.execution.snippets.supervision import adopt_orphans
from weaver.execution.snippets.worker import public

OWN = {"In", "Out", "exit", "quit", "get_ipython", "open"}  # names that IPython puts there
LOADED = {  # what's slow to load, by the word in a lab that needs it
    "torch": ("torch", "torch._dynamo"),  # the first step of an optimizer loads that, too
    "matplotlib": ("matplotlib.font_manager",),  # which says so in the cell if listing the fonts takes long
}
generators: Generators


def begin(used: list[str]) -> None:
    """Load what's `used`, of LOADED, and note the state of the random generators, before the first cell.

    What bypasses `print`, such as a child process's output, stays in its place, and `exit()` is an error,
    as it is in a snippet. A plot is drawn as PNG, for the notebook, and as SVG, for the page.
    """
    global generators
    gc.disable()  # a third of the time that loading takes
    for name in (name for one in used for name in LOADED[one]):
        with suppress(ImportError):  # the cell says it
            importlib.import_module(name)
    gc.enable()
    gc.freeze()
    generators = Generators(0)
    shell = builtins.__dict__["get_ipython"]()
    shell.user_ns["exit"] = shell.user_ns["quit"] = sys.exit
    shell.config.InlineBackend.figure_formats = {"png", "svg"}
    drawn = shell.display_formatter.formatters
    drawn["image/svg+xml"] = drawn.pop("image/svg+xml")  # last: a layout that has been drawn is kept
    for stream, descriptor in ((sys.stdout, 1), (sys.stderr, 2)):
        if getattr(stream, "watch_fd_thread", None):
            order = _InOrder(stream, descriptor)
            order.keep()  # this is called in a cell, too
            shell.events.register("pre_run_cell", lambda info, order=order: order.keep())
            shell.events.register("post_run_cell", lambda result, order=order: order.drain())
    states = [random.getstate()]  # the kernel itself draws numbers between two cells
    shell.events.register("pre_run_cell", lambda info: random.setstate(states[-1]))
    shell.events.register("post_run_cell", lambda result: states.append(random.getstate()))


class _InOrder:
    """Puts prints of a cell after what was written to the same descriptor before them, bypassing `print`.

    Child processes, `os.write` and C libraries write there, into a pipe. IPython's own thread reads it at
    some time; ours does, too, and each print takes out first what the pipe holds.
    """

    def __init__(self, stream: OutStream, descriptor: int):
        self.stream, self.kernel, self.lock = stream, os.getpid(), threading.Lock()
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        stream._should_watch = False
        os.write(descriptor, b"\n")  # wakes IPython's thread, which ends
        stream.watch_fd_thread.join()
        os.set_blocking(stream._fid, False)
        threading.Thread(target=self._watch, daemon=True).start()

    def keep(self) -> None:
        """Drain the pipe before each print. IPython replaces the stream's `write` for the time of a cell."""
        write = self.stream.write

        def write_in_order(text: str) -> int | None:
            if os.getpid() == self.kernel:  # a fork has another's lock
                self.drain()
            return write(text)

        self.stream.write = write_in_order

    def drain(self) -> None:
        """Make output of what the pipe holds."""
        with self.lock, suppress(BlockingIOError):
            while data := os.read(self.stream._fid, 1 << 16):
                OutStream.write(self.stream, self.decode(data))
                self.stream.flush()  # another thread's words have a buffer of their own, sent later

    def _watch(self) -> None:
        while True:
            select.select([self.stream._fid], [], [])
            self.drain()


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
