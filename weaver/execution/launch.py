"""How a process that runs what pages show is started: its environment, and nothing else of ours."""

import os
import sys
from importlib.util import find_spec

if sys.platform != "win32":
    import resource

FILE_LIMIT = 64 << 20  # bytes of the largest file that a program may write, its output included

# What the programs see of the environment. The rest could change results: a number of threads, a
# kernel to prefer, a place in the world.
KEPT = (
    "HOME",
    "LD_LIBRARY_PATH",
    "PATH",
    "PYTHONHOME",
    "PYTHONPATH",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "USERPROFILE",
    "VIRTUAL_ENV",
)
# How the server starts: NumPy's own thread would not survive a fork.
SERVER = {"OPENBLAS_NUM_THREADS": "1"}
# How it starts in another world: what a program reads of memory that it hasn't written is something else,
# local time is that of another time zone, and the processor an older one, on which sums round differently.
ELSEWHERE = SERVER | {
    "ATEN_CPU_CAPABILITY": "default",
    "GLIBC_TUNABLES": "glibc.malloc.perturb=165",
    "TZ": "Elsewhere-11:30",
}

# How a kernel starts: with this interpreter, whatever kernels its user has installed
KERNEL = {
    "JUPYTER_PREFER_ENV_PATH": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}
# What of its user's it does not see: its settings are those of an empty folder
OWN = (
    "IPYTHONDIR",
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTER_RUNTIME_DIR",
    "TEMP",
    "TMP",
    "TMPDIR",  # where a kernel says how it is reached, and may not live to take that away
)


def environment(settings: dict[str, str]) -> dict[str, str]:
    """Return the environment of a process that runs programs: what is kept of ours, and `settings`."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | {"LANG": "C.UTF-8"} | settings


def has_torch() -> bool:
    """Tell whether programs can import torch. Without it they run, but nothing is recorded of them."""
    return find_spec("torch") is not None


def largest_file() -> int:
    """Return how many bytes a file of this process may have, FILE_LIMIT at most."""
    allowed = -1 if sys.platform == "win32" else resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    return FILE_LIMIT if allowed < 0 else min(allowed, FILE_LIMIT)


def limit_files() -> None:
    """Keep this process from filling the disk: past the limit a write raises OSError."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file(), largest_file()))


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
