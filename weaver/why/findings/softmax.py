"""The loss takes the softmax of what has been through a softmax."""

from collections.abc import Iterator

from weaver.recording.model import id_of
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find softmax nodes whose results go straight into a log_softmax."""
    for node in run.nodes.values():
        earlier = run.nodes.get(id_of(node.next[0] or "")) if node.next else None
        if node.name == "LogSoftmaxBackward0" and earlier and earlier.name == "SoftmaxBackward0":
            at, loss = run.made(earlier), run.made(node)
            if at >= 0 and loss >= 0:
                yield Finding("softmax", Severity.WRONG, run.steps[at].line, loss, run.steps[loss].line)
                return
