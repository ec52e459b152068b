"""Sums in which a tensor and its detached copy cancel out, as in a straight-through estimate."""

import ast
from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun

LONGEST = 40  # characters of a term that's named
Terms = dict[tuple[str, bool], int]  # text, whether it's detached -> sign


def find(run: WatchedRun) -> Iterator[Finding]:
    """Say which lines pass a gradient to a term that their value doesn't depend on."""
    recorded = {run.made(node) for node in run.nodes.values()} - {-1}
    firsts = {run.steps[index].line: index for index in sorted(recorded, reverse=True)}
    for line, index in firsts.items():
        sums = [one for one in run.expressions(line) if isinstance(one, ast.BinOp | ast.AugAssign)]
        names = {name for one in sums for name in _kept(run, index, dict(_terms(one)))}
        for name in sorted(names):
            yield Finding("trained", Severity.FACT, line, index, None, "straight", {"name": name})


def _terms(part: ast.AST, sign: int = 1, is_detached: bool = False) -> Iterator[tuple[tuple[str, bool], int]]:
    """Yield the terms of a sum, each with its sign."""
    if isinstance(part, ast.BinOp | ast.AugAssign) and isinstance(part.op, ast.Add | ast.Sub):
        left, right = (part.left, part.right) if isinstance(part, ast.BinOp) else (part.target, part.value)
        yield from _terms(left, sign, is_detached)
        yield from _terms(right, -sign if isinstance(part.op, ast.Sub) else sign, is_detached)
    elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "detach":
        yield from _terms(part.func.value, sign, True)
    elif isinstance(part, ast.Attribute) and part.attr == "data":
        yield from _terms(part.value, sign, True)
    else:
        yield (ast.unparse(part), is_detached), sign


def _kept(run: WatchedRun, index: int, terms: Terms) -> Iterator[str]:
    """Yield the terms of a recorded sum that need a gradient, and whose detached copies cancel them out."""
    before = run.before(run.steps[index])
    places = {text: state.place for text, _ in terms if (state := before.get(text))}
    plain = {text for text, is_detached in terms if not is_detached}
    for (text, is_detached), sign in terms.items():
        others = plain - {text}
        # Of a term without a place, that's sure if no other can have a graph
        needs = places.get(text, "n" if all(places.get(one, "n")[0] == "p" for one in others) else "p")
        is_canceled = not is_detached and terms.get((text, True)) == -sign
        if is_canceled and needs[0] != "p" and len(text) <= LONGEST:
            yield text
