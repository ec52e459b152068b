"""A second derivative that adds up the derivatives of all columns of the first."""

from collections.abc import Iterator

from weaver.recording.compact import shape_of
from weaver.recording.model import id_of
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun
from weaver.why.values import is_one


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find a grad() of a gradient with several columns, weighted by ones: each result is a sum over them."""
    made = {one.step for one in run.passes if one.of == "grad"}
    for one in run.passes:
        starts = [event for event in run.steps[one.step].events if event.run == one.number]
        root = run.nodes.get(id_of(one.roots[0])) if one.of == "grad" and len(one.roots) == 1 else None
        if not root or run.made(root) not in made - {one.step}:
            continue
        values = [value for event in starts if event.kind == "start" for value in event.received or ()]
        shape = shape_of(values[0]) if values else ()
        if len(shape) > 1 and shape[-1] > 1 and is_one(values[0]):
            fields = {"name": run.names.get(one.roots[0], ""), "n": str(shape[-1])}
            yield Finding("columns", Severity.NOTE, one.line, one.step, None, "", fields)
            return
