"""The gradients that a pass adds to, and the call that empties them."""

import re

from weaver.recording.model import Event
from weaver.why.run import WatchedPass, WatchedRun
from weaver.why.values import is_zero


def is_first(visit: Event) -> bool:
    """Tell whether a leaf's gradient was empty before a pass came to it."""
    return visit.before is None or is_zero(visit.before)


def met(one: WatchedPass) -> set[str]:
    """Return the leaves whose gradients weren't empty before a pass came to them."""
    added = [visit.node for visit in one.visits if not is_first(visit)]
    return {node for node in added if node and node[0] == "l"}


def resetting_call(run: WatchedRun, line: int) -> str:
    """Return the call that empties the gradients of the optimizer that a line steps."""
    found = re.search(r"([\w.\[\]]+)\.step\(([\w.]*)", run.text(line))
    name = found[found[1].endswith("scaler") + 1] if found else ""  # scaler.step(optimizer)
    return f"{name or 'optimizer'}.zero_grad()"
