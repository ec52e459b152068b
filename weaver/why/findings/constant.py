"""A term of the loss is a constant, although it was computed from what the loss should train."""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import takewhile

from weaver.recording.acts import Act
from weaver.recording.lines import path
from weaver.recording.repeated import begin
from weaver.why.consumers import walked
from weaver.why.finding import Finding, Severity
from weaver.why.groups import groups
from weaver.why.run import WatchedPass, WatchedRun
from weaver.why.sums import constants, sums
from weaver.why.values import DESCRIBING, is_differentiable, is_zero

ON_PURPOSE = re.compile(r"\b(detach|item|tolist|numpy)\(")  # whoever writes that into a sum means it
MEANT = re.compile(r"\b(item|tolist|numpy)\(")  # of these, what leads out of torch
NUMBERS = re.compile(r"(tensor|zeros|zeros_like|ones|full)\(")  # in a line that makes a tensor of them
SHIFT = re.compile(r"(\b|_)(max|amax|logsumexp)\(")  # which softmax and the like are shifted by

Terms = list[tuple[WatchedPass, int, ast.expr]]  # passes, the steps that added a term to their losses, and it


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find losses to which something is added that a gradient should go through, and never does."""
    times, found = _added(run)
    told: set[int] = set()
    for (line, name), several in found.items():
        if line in told:
            continue
        every = Counter({trained: count for (at, trained), count in times.items() if at == line})
        meant = [*_on_purpose(run, line, name, several, every)]
        if every != Counter(_trained(run, one) for one, *_ in several):  # else it isn't always a constant
            yield from meant
            continue
        if leaves := walked(run, several[0][1], several[0][2]) & run.stepped:
            told.add(line)
            fields = {"name": name, "groups": groups(map(run.usual, leaves))}
            yield Finding("constant", Severity.WRONG, line, several[0][1], None, "norms", fields)
            continue
        by = next((call for one in several if (call := _penalty(run, *one))), None)
        source = next((each for _, index, side in several if (each := _source(run, side, index))), None)
        samples = [act for one, _, side in several for act in _samples(run, one, side)]
        if source and (here := [act for act in samples if act.line == run.steps[source[0]].line]):
            samples, source = here, None  # how it was drawn says more
        drawn = samples[0] if samples else None
        told |= {line} if by or source or drawn else set()
        if by:
            fields = {"name": name, "call": "create_graph=True"}
            yield Finding("penalty", Severity.WRONG, by.line, by.step, line, "", fields)
        elif source:
            at, leaf = _within(run, source[0]) or source
            fields = {"name": name, "leaf": leaf}
            yield Finding("constant", Severity.WRONG, line, several[0][1], run.steps[at].line, "", fields)
        elif drawn:
            statements = run.lines.statements(drawn.line)
            drawn_as = (path(one.targets[0]) for one in statements if isinstance(one, ast.Assign))
            fields = {"name": next(filter(None, drawn_as), name)}
            yield Finding("constant", Severity.WRONG, drawn.line, drawn.step, None, "sample", fields)
        elif meant or not _is_computed(run, several):
            yield from meant
        else:
            yield Finding("constant", Severity.NOTE, line, several[0][1], None, "part", {"name": name})


def _is_computed(run: WatchedRun, several: Terms) -> bool:
    """Tell whether a term is computed again for each of some passes, and may be more than a number."""
    steps = {one.number: one.step for one in run.passes}
    for one, index, side in several:
        before = run.before(run.steps[index])
        states = [before[name] for part in _read(side) if (name := path(part) or "") in before]
        since = steps.get(one.number - 1, -1)
        made = [run.seen.get(state.place, -1) for state in states if is_differentiable(state)]
        texts = [run.text(run.steps[at].line) for at in made if at > since]
        if all(map(NUMBERS.search, texts)) or ON_PURPOSE.search(ast.unparse(side)):
            return False
    return True


def _added(run: WatchedRun) -> tuple[Counter[tuple[int, frozenset[str]]], dict[tuple[int, str], Terms]]:
    """Return how often a line's sum was in a loss for some leaves, and its constant terms, by their texts."""
    times = Counter[tuple[int, frozenset[str]]]()
    found: dict[tuple[int, str], Terms] = {}
    for one in run.passes:
        for index, node in sums(run, one) if one.of == "backward" else ():
            line, terms = run.steps[index].line, [*constants(run, index, node)]
            if None not in terms:
                times[line, _trained(run, one)] += 1
                for side in filter(None, terms):
                    found.setdefault((line, ast.unparse(side)), []).append((one, index, side))
    return times, found


def _trained(run: WatchedRun, one: WatchedPass) -> frozenset[str]:
    """Return the leaves for which a pass computes gradients that an optimizer steps with at some time."""
    return frozenset(run.stepped.intersection(one.given()))


def _on_purpose(
    run: WatchedRun, line: int, name: str, several: Terms, every: Counter[frozenset[str]]
) -> Iterator[Finding]:
    """Say of a term that detach() makes it a constant in all passes that train the same leaves."""
    constant = Counter(_trained(run, one) for one, *_ in several)
    for one, index, side in several:
        trained = _trained(run, one)
        if 1 < constant[trained] == every[trained] and (found := _meant(run, side, index, trained)):
            at, leaf = found
            made = made_before(run, leaf, run.before(run.steps[at])[leaf].place, at)
            if made is not None and SHIFT.search(run.text(run.steps[made].line)):
                return
            fields = {"name": name, "leaf": leaf, "groups": groups(run.names.get(one, "") for one in trained)}
            yield Finding("constant", Severity.NOTE, run.steps[at].line, at, line, "meant", fields)
            return


def _penalty(run: WatchedRun, one: WatchedPass, index: int, side: ast.expr) -> WatchedPass | None:
    """Return the call of grad() before a pass from whose results an expression was computed."""
    calls = takewhile(lambda each: each.of == "grad", reversed(run.passes[: run.passes.index(one)]))
    return next((call for call in [*calls][::-1] if is_from(run, side, call.step, index)), None)


def _samples(run: WatchedRun, one: WatchedPass, side: ast.expr) -> list[Act]:
    """Return the samples before a pass that pass no gradient on, if a term may come from one."""
    acts = (act for act in run.of("sample") if act.run == one.number and act.records and act.step >= 0)
    return [] if ON_PURPOSE.search(ast.unparse(side)) else [*acts]


def is_from(run: WatchedRun, side: ast.expr, start: int, index: int) -> bool:
    """Tell whether an expression reads what was computed from the results of a call of grad() at a step."""
    results = {place for place in _new(run, start) if place[:1] == "p"}
    made, is_returned = set[str](), False
    for at in range(start + 1, index + 1):
        step, before = run.steps[at], run.before(run.steps[at])
        known = {name for name, state in before.items() if state.place in results | made}
        if at == index:
            return any(path(part) in known for part in ast.walk(side)) or (is_returned and _calls(side))
        is_read = any(path(part) in known for part in run.expressions(step.line))
        if is_read or is_returned:
            made.update(place for place in _new(run, at) if place[:1] == "p")
        is_return = any(isinstance(part, ast.Return) for part in run.lines.statements(step.line))
        is_returned = bool(step.depth) and is_return and (is_read or is_returned)
    return False


def _new(run: WatchedRun, index: int) -> list[str]:
    """Return the places of what a step made."""
    before = run.before(run.steps[index])
    after = run.steps[index].tensors.items()
    return [now.place for name, now in after if name not in before or before[name].place != now.place]


def _calls(expression: ast.expr) -> bool:
    return any(isinstance(part, ast.Call) for part in ast.walk(expression))


def _meant(run: WatchedRun, side: ast.expr, index: int, trained: Collection[str]) -> tuple[int, str] | None:
    """Return as `_source` does where detach() made a whole term a constant, perhaps in another loss's way.

    So it is if the term is a call that's given what was computed from what the loss has `trained`.
    """
    before = run.before(run.steps[index])
    for name in map(_detached, [side, *(side.args if isinstance(side, ast.Call) else ())]):
        if name in before and run.behind([before[name].place]).intersection(trained):
            return index, name
    states = [before[name] for part in _read(side) if (name := path(part) or "") in before]
    is_scalar = bool(states) and all(set(state.shape) <= {1} for state in states)
    is_hidden = is_scalar and not ON_PURPOSE.search(ast.unparse(side))
    found = _source(run, side, index, MEANT) if is_hidden else None
    return found if found and ".detach()" in run.text(run.steps[found[0]].line) else None


def _detached(argument: ast.expr) -> str:
    """Return the name of what an argument calls detach() of, "" for another argument."""
    function = argument.func if isinstance(argument, ast.Call) else None
    if isinstance(function, ast.Attribute) and function.attr == "detach":
        return path(function.value) or ""
    return ""


def _source(
    run: WatchedRun, side: ast.expr, index: int, unless: re.Pattern[str] = ON_PURPOSE
) -> tuple[int, str] | None:
    """Return what an expression without a graph was computed from that has one, and the step that did it.

    It's None if the expression has something on purpose that cuts.
    """
    may_differ = any(isinstance(part, ast.IfExp | ast.BoolOp) for part in ast.walk(side))
    if may_differ or unless.search(ast.unparse(side)):
        return None
    before = run.before(run.steps[index])
    taken = {id(one.value) for one in ast.walk(side) if isinstance(one, ast.Subscript | ast.Attribute)}
    picked = {id(one.value) for one in ast.walk(side) if isinstance(one, ast.Subscript) and not path(one)}
    for node in _read(side):
        name = path(node) or ""
        state = before.get(name)
        if state and state.place[:1] == "p" and is_zero(state.value):  # not in use yet
            return None
        inside = f"{name}[" if name and id(node) not in taken else "?"  # of a container that's used whole
        parts = [state] if state else [one for key, one in before.items() if key.startswith(inside)]
        if id(node) in picked:
            entries = [one for key, one in before.items() if key.startswith(f"{name}[")]
            parts = entries if all(run.behind([one.place]) & run.trained for one in entries) else []
        if run.behind(one.place for one in parts) & run.trained:
            return index, name
        if state and (made := made_before(run, name, state.place, index)) is not None:
            for value, at in _values(run, name, state.place, made):
                if found := _source(run, value, at, unless):
                    return found
    return None


def _values(run: WatchedRun, name: str, place: str, made: int) -> Iterator[tuple[ast.expr, int]]:
    """Yield the expressions that a step assigned for a name, with the step of each.

    What a function returned is followed to the line in it that named it, or to its `return`.
    """
    in_call = run.seen.get(place, made)
    made = in_call if begin(run.steps, made) <= in_call else made
    for one in run.lines.statements(run.steps[made].line):
        if isinstance(one, ast.Assign | ast.AugAssign):
            yield one.value, made
        names = getattr(one.targets[0], "elts", []) if isinstance(one, ast.Assign) else []
        for last in run.lines.statements(run.steps[made - 1].line) if names else ():
            values = getattr(last.value, "elts", []) if isinstance(last, ast.Return) else []
            if run.steps[made - 1].depth == run.steps[made].depth + 1 and len(values) == len(names):
                yield from (
                    (value, made - 1) for each, value in zip(names, values, strict=True) if path(each) == name
                )


def _within(run: WatchedRun, index: int) -> tuple[int, str] | None:
    """Return where a line of a function that a step called took no graph over from what has one, if one did.

    It's the first whose result a later line of the function reads.
    """
    for at in range(begin(run.steps, index), index):
        for one in run.lines.statements(run.steps[at].line):
            name = path(one.targets[0]) if isinstance(one, ast.Assign) else None
            state = run.steps[at].tensors.get(name or "")
            if not isinstance(one, ast.Assign) or not state or state.place[:1] != "p":
                continue
            found = _source(run, one.value, at)
            later = (part for step in run.steps[at + 1 : index] for part in run.expressions(step.line))
            if found and any(path(part) == name for part in later):
                return found
    return None


def _read(expression: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of an expression whose elements it may depend on."""
    yield expression
    for part in ast.iter_child_nodes(expression):
        if not (isinstance(part, ast.Attribute) and part.attr in DESCRIBING):
            yield from _read(part)


def made_before(run: WatchedRun, name: str, place: str, index: int) -> int | None:
    """Return the step before another in which a name came to lead to a place, in the same function."""
    depth = run.steps[index].depth
    for at in range(index - 1, -1, -1):
        step = run.steps[at]
        if step.depth < depth or step.gap:
            return None
        if step.depth == depth and step.tensors.get(name) and step.tensors[name].place == place:
            old = run.before(step).get(name)
            if not old or old.place != place:
                return at
    return None
