"""A parameter gets no gradient, because something cuts its path or nothing uses it."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from weaver.recording.lines import path
from weaver.recording.model import NoGradient, id_of
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedPass, WatchedRun

OUT = {"detach": "detach()", "detach_": "detach_()", "data": ".data", "numpy": "numpy()"}
OUT |= {"item": "item()", "tolist": "tolist()"}
CUTS = "detach", "no_grad", "inference_mode", "operation"
COPIES = {"tensor", "as_tensor", "from_numpy", "float"}
NUMBER = re.compile(r"\.\d+\.")  # in the name of a parameter: which module of a list
Cut = tuple[int, str]  # the step, and what cut there: nothing if the operation has no derivative


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find what kept the engine from starting, and what keeps gradients from parameters."""
    for one in run.passes:
        if one.failed and (one.failed.node or "")[:1] == "p":
            yield from _not_started(run, one)
            return
    steps = [act for act in run.of("step") if {*act.places} & run.touched]  # others only show a schedule
    held = {place for act in steps for place in act.places if place[0] == "l"}
    pairs = (pair for act in steps for pair in zip(act.places, act.grads, strict=True))
    given = {place for place, grad in pairs if grad not in ("none", "later")}
    reached = {id for one in run.passes for id in one.ids()}
    dead = held - given - reached
    if dead and run.passes:
        cut = None if dead == held else _cut(run, dead, run.passes[-1].step)
        yield from _unlinked(run, dead) if dead == held else _unreached(run, dead, cut)
    elif not held:
        yield from _asked(run)


def _not_started(run: WatchedRun, one: WatchedPass) -> Iterator[Finding]:
    """Find what cut off the tensor at which the engine couldn't start."""
    told = next((none for none in run.steps[one.step].missing if none.why == "start"), None)
    leaves = {place for act in run.of("optimizer") for place in act.places}
    fields = {"name": run.names.get(one.failed.node or "", "") if one.failed else "", "by": ""}
    if told and told.line:
        line, fields["by"] = told.line, told.by
    elif found := _cut(run, leaves, one.step):
        line, fields["by"] = run.steps[found[0]].line, found[1]
    elif inline := next((pair for pair in _inline(run, one)), None):
        line, fields["by"] = inline
    elif guard := run.guard(one.line):
        line, fields["by"] = guard, run.switched_by(guard)
    else:
        return
    line, case = _switch(run, line, fields["by"]), "start" if fields["by"] else "start_operation"
    yield Finding("no_gradient", Severity.FAILS, line, one.step, one.line, case, fields)


def _inline(run: WatchedRun, one: WatchedPass) -> Iterator[tuple[int, str]]:
    """Yield the lines that made the tensor where a pass can't start, if they cut something off themselves."""
    made = run.first([one.failed.node or ""] if one.failed else [])
    for line in dict.fromkeys([one.line if made is None else run.steps[made].line, one.line]):
        for by in _outs(run, line):
            yield line, by


def _unlinked(run: WatchedRun, dead: set[str]) -> Iterator[Finding]:
    """Find the leaf at which all passes end instead of at the optimizer's parameters."""
    last = run.passes[-1]
    fresh = {id for id in last.ids() if id[0] == "l"}
    if not fresh:
        return
    at = run.first(fresh)
    if at is None:
        root = run.nodes.get(id_of(last.roots[0])) if last.roots else None
        at = run.made(root) if root else -1
    line = run.steps[at].line if at >= 0 else last.line
    name = next((run.names[leaf] for leaf in sorted(fresh) if leaf in run.names), "")
    for index in range(at, max(at - 200, -1), -1):
        step = run.steps[index]
        mine = step.function == run.steps[at].function and _assigns(run, step.line, name)
        if mine and any(True for _ in _outs(run, step.line)):
            line = step.line
            break
    fields = {
        "name": name,
        "by": next(_outs(run, line), ""),
        "leaf": run.named(dead)["name"] or "model.parameters()",
    }
    yield Finding("no_gradient", Severity.WRONG, line, last.step, last.line, "fresh", fields)


def _unreached(run: WatchedRun, dead: set[str], cut: Cut | None) -> Iterator[Finding]:
    names = {name for place in dead for name in run.aliases(place)}
    missing = (none for step in run.steps for none in step.missing if none.name in names and none.line)
    told = [none for none in missing if none.why in ("cut", "operation")]
    fields = run.named(dead) | {"by": ""}
    if told:
        fields["by"] = told[-1].by
        line, step = told[-1].line or 0, len(run.steps) - 1
    elif cut:
        step, fields["by"] = cut
        line = run.steps[step].line
    else:
        first = run.first(dead) or 0
        severity = Severity.NOTE if _has_used_sibling(run, dead) else Severity.WRONG
        yield Finding("no_gradient", severity, run.steps[first].line, first, None, "apart", fields)
        return
    case = "cut" if fields["by"] else "operation"
    yield Finding("no_gradient", Severity.WRONG, _switch(run, line, fields["by"]), step, None, case, fields)


def _has_used_sibling(run: WatchedRun, dead: set[str]) -> bool:
    """Tell whether each of some leaves has another of its list that's used: perhaps they're alternatives."""
    used = {id for one in run.passes for id in one.ids() if id[0] == "l"}
    patterns = {NUMBER.sub(".#.", name) for place, name in run.names.items() if place in used}
    names = [run.names.get(place, "") for place in dead]
    return all(NUMBER.search(name) and NUMBER.sub(".#.", name) in patterns for name in names)


def _asked(run: WatchedRun) -> Iterator[Finding]:
    """Find the cuts on the way to gradients that the program read although they're None."""
    found: dict[tuple[int, str], tuple[int, list[NoGradient]]] = {}
    for index, step in enumerate(run.steps):
        for one in step.missing:
            if one.line and one.why in ("cut", "operation"):
                found.setdefault((one.line, one.by), (index, []))[1].append(one)
    for (line, by), (index, several) in found.items():
        fields = {"name": several[0].name, "by": by}
        yield Finding("no_gradient", Severity.NOTE, line, index, None, "cut" if by else "operation", fields)


def _cut(run: WatchedRun, leaves: set[str], before: int) -> Cut | None:
    """Return the last step of a pass's forward part that cut a path to one of some leaves, and what did."""
    ends = [one.step for one in run.passes if one.step <= before]
    for start, end in reversed(list(pairwise([-1, *ends[:-1], before]))):
        if found := _cut_between(run, leaves, start + 1, end):
            return found
    return None


def _cut_between(run: WatchedRun, leaves: set[str], first: int, last: int) -> Cut | None:
    for index in range(min(last, len(run.steps) - 1), first - 1, -1):
        step = run.steps[index]
        states = run.before(step)
        for name, by in _reads(run, step.line):
            places = [s.place for one, s in states.items() if one == name or one.startswith(f"{name}[")]
            if any(place[:1] == "n" for place in places) and run.behind(places) & leaves:
                return index, by
        for edge in run.edges.get(index, ()):
            if edge.start[0] in "nl" and run.behind([edge.start]) & leaves and edge.why in CUTS:
                said = {"detach": "detach()", "operation": ""}
                return index, said.get(edge.why, f"torch.{edge.why}()")
    return None


def _reads(run: WatchedRun, line: int) -> Iterator[tuple[str, str]]:
    """Yield the names of what a line takes out of the graph, and by what."""
    for node in run.expressions(line):
        if isinstance(node, ast.Attribute) and node.attr in OUT and (name := path(node.value)):
            yield name, OUT[node.attr]
        if isinstance(node, ast.Call):
            function = (path(node.func) or "").rpartition(".")[2]
            for one in node.args if function in COPIES else ():
                if name := path(one):
                    yield name, f"{function}()" if function == "float" else f"torch.{function}()"


def _outs(run: WatchedRun, line: int) -> Iterator[str]:
    """Yield what in a line cuts something off."""
    for node in run.expressions(line):
        if isinstance(node, ast.Attribute) and node.attr in OUT:
            yield OUT[node.attr]
        elif isinstance(node, ast.Call) and (path(node.func) or "").rpartition(".")[2] in COPIES:
            yield f"{(path(node.func) or '').rpartition('.')[2]}()"


def _assigns(run: WatchedRun, line: int, name: str) -> bool:
    """Tell whether a line assigns to a variable, or adds to it."""
    targets = [
        target
        for one in run.lines.statements(line)
        if isinstance(one, ast.Assign | ast.AugAssign | ast.AnnAssign)
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
    ]
    return any(path(target) == name for target in targets)


def _switch(run: WatchedRun, line: int, by: str) -> int:
    """Return the line that switched recording off around a line, if that's what cut."""
    return run.guard(line) or line if "no_grad" in by or "inference" in by else line
