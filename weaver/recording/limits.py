"""How much of a run is recorded, and which part of it."""

import re
from dataclasses import dataclass

# Where a part begins or ends that's watched: a line or a function, and which of its runs
PLACE = re.compile(r"(?:(?P<line>[0-9]+)|(?P<function>[^\W\d]\w*))(?:@(?P<time>[1-9][0-9]*))?")

MOST_STEPS = 100_000  # that can be asked for


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is recorded.

    `elements` are listed of a tensor, `tensors` of a state, `items` of a container, `nodes` of the graph;
    `bytes` is the size of the page, `stored` of the compact form, `seconds` the processor time that the
    program may use. After so many `looks` at tensors, few iterations of a loop are watched; None for no end.
    If there are places `start` and `end` (PLACE), only what lies between them is watched, and to find the
    `first_nan`, what comes before it. `acts` asks for those as well, `optimizers` for what these keep.
    """

    steps: int = 1000
    elements: int = 64
    tensors: int = 200
    items: int = 64
    nodes: int = 6000
    bytes: int = 500_000
    stored: int = 50_000_000
    seconds: float = 60.0
    looks: int | None = 40_000
    start: str = ""
    end: str = ""
    first_nan: bool = False
    acts: bool = False
    optimizers: bool = False
