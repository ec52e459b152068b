"""Another world to try a program in: another time on another machine."""

import ctypes
import errno
import gc
import getpass
import os
import platform
import re
import socket
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from itertools import takewhile
from typing import Any

# The other world's clocks are so many seconds ahead, and so much faster. Ahead by no whole day or month.
YEAR, PACE = 400 * 86400 + 12345, 3
FOLDER = os.path.dirname(__file__)  # what a Python that a program starts loads from here takes it along
MACHINE = re.compile(r"/(etc|sys)/|/proc/(?!self|thread-self|\d)")  # files that say where a program runs
LOOKS = {"open", "os.listdir", "os.scandir"}  # what Python tells of files and folders
STARTS = {"os.exec", "os.posix_spawn", "os.system", "subprocess.Popen"}  # what Python tells of programs
APART = re.compile(r"-\w*[EIS]\w*")  # what starts a Python without its environment

Change = tuple[MutableMapping[str, Any], str, Any]  # of a module's or a class's names: a name, its value
_is_here = True
_is_guarded = False


@contextmanager
def world(seed: int) -> Iterator[None]:
    """Make this process another world for a time if `seed` isn't 0: its clocks are ahead and fast, and so on.

    Files that describe this machine, and programs other than this Python, aren't there. The rest, such as
    its number, differs by itself, the order of a set if the interpreter was started with another hash seed.
    """
    global _is_here
    if not seed:
        yield
        return
    changed = list(_elsewhere())
    before = [(holder, name, holder.get(name)) for holder, name, _ in changed]
    # What comes after lies in other places: one thing of each size is there before
    held = [object(), complex(seed), *(bytes(size) for size in range(1, 512, 16))]
    _set(changed)
    _is_here = False
    _guard()
    try:
        yield
    finally:
        _is_here = True
        _set(before)
        held.clear()


def _set(values: Iterable[Change]) -> None:
    """Give names other values; one without a value is taken away."""
    for holder, name, value in values:
        if value is None:
            del holder[name]
        else:
            holder[name] = value
    _forget_lookups()


def _guard() -> None:
    """Have Python ask before it opens a file and before it starts a program, until its end."""
    global _is_guarded
    if not _is_guarded:
        sys.addaudithook(_look)
        _is_guarded = True


def _look(event: str, given: tuple[Any, ...]) -> None:
    if _is_here:
        return
    if event in LOOKS and isinstance(given[0], str | bytes) and MACHINE.match(os.fsdecode(given[0]) + "/"):
        raise FileNotFoundError(errno.ENOENT, "Another machine may lack it, or say something else", given[0])
    if event in STARTS:
        if event == "os.system" or os.fsdecode(given[0]) != sys.executable:
            said = "Another machine may lack it; start only sys.executable"
            raise FileNotFoundError(errno.ENOENT, said, os.fsdecode(given[0]))
        if not _follows(given[1], given[-1]):
            raise PermissionError(errno.EPERM, "It must inherit the environment to be compared", given[0])


def _follows(arguments: Sequence[str], environment: Mapping[str, str] | None) -> bool:
    """Tell whether a Python that is started finds what takes it into this world."""
    if environment is not None:
        path = {os.fsdecode(name): os.fsdecode(value) for name, value in environment.items()}
        if FOLDER not in path.get("PYTHONPATH", "").split(os.pathsep):
            return False
    options = takewhile(lambda one: one.startswith("-"), map(os.fsdecode, arguments[1:]))
    return not any(map(APART.fullmatch, options))


def _elsewhere() -> Iterator[Change]:
    """Yield what is different in the other world."""
    yield from _clocks()
    yield from _machine()


def _clocks() -> Iterator[Change]:
    clock = _ahead(time.time, 1)
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        yield vars(time), name, clock if name == "time" else _ahead(getattr(time, name), 1)
        yield vars(time), f"{name}_ns", _ahead(getattr(time, f"{name}_ns"), 10**9)
    for name, unit in (("clock_gettime", 1), ("clock_gettime_ns", 10**9)):
        if hasattr(time, name):
            yield vars(time), name, _ahead(getattr(time, name), unit)
    local = time.localtime
    for name in ("gmtime", "localtime", "ctime"):
        yield vars(time), name, partial(_at, getattr(time, name), clock)
    yield vars(time), "asctime", lambda when=None, own=time.asctime: own(when or local(clock()))
    yield vars(time), "strftime", lambda form, when=None, own=time.strftime: own(form, when or local(clock()))
    for holder in gc.get_referents(vars(datetime)):  # written in C, asks no module, and can't be set
        yield holder, "now", classmethod(lambda form, tz=None: form.fromtimestamp(clock(), tz))
        yield holder, "utcnow", classmethod(lambda form: form.utcfromtimestamp(clock()))


def _machine() -> Iterator[Change]:
    """Yield what another machine has otherwise: names, folders, processors."""
    torch = sys.modules.get("torch")
    called = (socket, "gethostname"), (socket, "getfqdn"), (platform, "node"), (getpass, "getuser")
    config = getattr(torch, "__config__", None)
    for holder, name in (*called, (os, "getlogin"), (config, "parallel_info"), (config, "show")):
        if hasattr(holder, name):
            yield vars(holder), name, lambda *_: "elsewhere"
    yield vars(platform), "_platform_cache", {}
    here = platform.uname_result(platform.system(), *["elsewhere"] * 4)
    yield vars(platform), "uname", lambda: here
    if hasattr(os, "uname"):
        renamed = type(os.uname())((platform.system(), *["elsewhere"] * 4))
        yield vars(os), "uname", lambda: renamed
    # Not torch's number of threads: the engine sets it to one on every machine
    for holder, name in ((uuid, "getnode"), (os, "cpu_count"), (torch, "get_num_interop_threads")):
        if hasattr(holder, name):
            yield vars(holder), name, partial(_one_more, getattr(holder, name))
    if own := getattr(os, "sched_getaffinity", None):
        yield vars(os), "sched_getaffinity", lambda process: own(process) | {4096}
    yield vars(os), "listdir", lambda *given, own=os.listdir: own(*given)[::-1]
    yield vars(tempfile), "gettempdir", partial(_detour, tempfile.gettempdir())
    for name in os.environ.keys() & {"HOME", "TEMP", "TMP", "TMPDIR", "USERPROFILE"}:
        yield os.environ, name, _detour(os.environ[name])
    for name in ("PATH", "PYTHONPATH"):
        yield os.environ, name, os.pathsep.join(filter(None, (FOLDER, os.environ.get(name))))


def _one_more(count: Callable[[], int]) -> int:
    return count() + 1


def _detour(path: str) -> str:
    """Return another name of a folder."""
    return os.path.join(path, os.pardir, os.path.basename(path))


def _ahead(clock: Callable[..., float], unit: int) -> Callable[..., float]:
    """Return a clock that is a year ahead of another and goes faster from the first look on."""
    began: dict[tuple[int, ...], float] = {}

    def ahead(*which: int) -> float:
        now = clock(*which)
        return now + YEAR * unit + (now - began.setdefault(which, now)) * (PACE - 1)

    return ahead


def _at(function: Callable[[float], Any], clock: Callable[[], float], when: float | None = None) -> Any:
    """Call a function that takes the current time if it is given none."""
    return function(clock() if when is None else when)


def _forget_lookups() -> None:
    """Let Python look again for the methods of a class that were changed behind its back."""
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime))
