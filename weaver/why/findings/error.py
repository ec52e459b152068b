"""An error that the site explains by its message."""

import re
from collections.abc import Iterator

from weaver.why.errors import case, section_of
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun

OF_A_FUNCTION = re.compile(r"unction \w+Backward returned")  # what its own `backward` returned


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find the line that an error left, or the `backward` that returned what the engine refuses."""
    section = section_of(run.trace.error or "")
    if not section or not run.steps:
        return
    last = at = run.failed_at
    if OF_A_FUNCTION.search(run.trace.error or ""):
        at = next((index for index in range(last, -1, -1) if run.steps[index].function == "backward"), last)
    shown = run.steps[last].line if at != last else None
    yield Finding("error", Severity.FAILS, run.steps[at].line, at, shown, case(section))
