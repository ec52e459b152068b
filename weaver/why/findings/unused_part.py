"""A part of a loss that trains nothing: no step uses the gradients of what it reaches."""

from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.findings.terms import firsts, parts
from weaver.why.leaves import told
from weaver.why.run import WatchedRun
from weaver.why.uses import uses, wasted


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find a part of a loss, beside others, that reaches only what's reset before each step.

    Such as a term of a generator's loss that was computed from a detached sample: it reaches the
    discriminator alone.
    """
    unused = wasted(run, *uses(run))
    for one in firsts(run):
        lost = set().union(*unused.get(one.line, {}).values())
        reached, idle = parts(run, one) if lost else ({}, set())
        trains = any(leaves - lost for leaves in reached.values())  # else the resets come too early
        for name, leaves in reached.items():
            if trains and name and leaves and leaves <= lost and name not in idle:
                also = next(line for line, places in unused[one.line].items() if leaves & places)
                groups = told(run, one.line, one.step, "part", leaves).fields["groups"]
                fields = {"name": name, "groups": groups}
                yield Finding("step", Severity.WRONG, one.line, one.step, also, "part", fields)
