"""What of ours runs inside a lab's kernel: before its first cell, and after its last."""

import builtins
import os
import random
import sys
import threading

from weaver.execution import answers, protocol
from weaver.execution.generators import Generators
from weaver.execution.protocol import Query, Seen
from weaver.execution.snippets.supervision import adopt_orphans
from weaver.execution.snippets.worker import public

OWN = {"In", "Out", "exit", "quit", "get_ipython", "open"}  # names that IPython puts there
PATIENCE = 30  # seconds for a mark to arrive, on a machine that has much else to do
MARK = "\0"  # which no program prints on its own
CHILDREN = {"os.fork", "os.posix_spawn", "os.system", "subprocess.Popen"}  # audit events
generators: Generators | None = None


def begin(with_torch: bool) -> None:
    """Note the state of the random generators, torch's if the lab uses it, before the first cell.

    What a child process prints stays in its place, and `exit()` is an error, as it is in a snippet. A plot
    is drawn as PNG, for the notebook, and as SVG, for the page.
    """
    global generators
    generators = Generators(0 if with_torch else None)
    shell = builtins.get_ipython()
    shell.user_ns["exit"] = shell.user_ns["quit"] = sys.exit
    shell.config.InlineBackend.figure_formats = {"png", "svg"}
    drawn = shell.display_formatter.formatters
    drawn["image/svg+xml"] = drawn.pop("image/svg+xml")  # last: a layout that has been drawn is kept
    keep_order = [_in_order(sys.stdout, 1), _in_order(sys.stderr, 2)]
    shell.events.register("pre_run_cell", lambda info: [keep() for keep in keep_order])
    states = [random.getstate()]  # the kernel itself draws numbers between two cells
    shell.events.register("pre_run_cell", lambda info: random.setstate(states[-1]))
    shell.events.register("post_run_cell", lambda result: states.append(random.getstate()))


def _in_order(stream, descriptor):
    """Return what lets prints of a cell wait for what child processes have written to the same stream before.

    That comes through a pipe, which a thread of the stream reads: once there are children, a mark goes
    through it before each print. It is called before each cell, because IPython gives the stream another
    `write` for the time of a cell, and then the one from before the cell.
    """
    has_children, arrived = threading.Event(), threading.Event()
    pipe = os.dup(descriptor)  # which a cell that turns the descriptor elsewhere leaves alone

    def note(event, _):
        if event in CHILDREN:
            has_children.set()

    def keep():
        write = stream.write

        def write_in_order(text):
            if threading.current_thread() is stream.watch_fd_thread:
                if MARK in text:
                    write(text.replace(MARK, ""))
                    arrived.set()
                    return len(text)
            elif has_children.is_set():
                arrived.clear()
                os.write(pipe, MARK.encode())
                arrived.wait(PATIENCE)
                stream.flush()  # the thread's words lie in a buffer of their own, which may be sent later
            return write(text)

        stream.write = write_in_order

    if not getattr(stream, "watch_fd_thread", None):
        return lambda: None
    sys.addaudithook(note)
    return keep


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
