"""A backward pass meets a graph that an earlier one has freed."""

import ast
import re
from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.recording.model import Node, id_of
from weaver.why.carried import carried_over, carrier, parts
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedPass, WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find the line that connected new nodes to the freed graph; if none are new, the first pass."""
    for one in run.passes:
        failed = one.failed
        if not failed or not failed.node or "second time" not in (failed.text or ""):
            continue
        before = [other for other in run.passes if other.number < one.number]
        freeing = [other for other in before if failed.node in other.freed]
        visiting = [other for other in before if failed.node in other.ids()]
        if not (freeing or visiting):
            continue
        earlier = freeing[0] if freeing else visiting[-1]  # what CopySlices holds isn't seen
        new, old, ties = parts(run, one, earlier)
        told = {"first": str(earlier.line)}
        is_same = run.steps[earlier.step].loops == one.loops  # iteration
        if ties and not (is_same and {*ties} == {one.step}):  # else the line only scales what was there
            line, name = _computed_once(run, new, old, one), ""
            if line is None:
                line, name = carrier(run, min(ties), old)
            case = "carried" if name else "needed"
            if name and (dropped := _dropped(run, name, earlier.step, one.step)):
                case, line, told["call"] = "dropped", *dropped
            elif written := _written_into(run, new, old):
                case, line, name = "written", *written
            elif (begun := _beginning(run, new, old, one)) and line not in {at for at, _ in begun}:
                case, told["also"], name = "begun", str(begun[-1][0]), begun[-1][1]
            yield Finding("freed", Severity.FAILS, line, one.step, one.line, case, told | {"name": name})
        else:
            yield Finding("freed", Severity.FAILS, earlier.line, one.step, one.line, "again", told)
        return
    yield from _unseen(run)


def _unseen(run: WatchedRun) -> Iterator[Finding]:
    """Find the pass that ended the program though nobody watched it, and what may have carried the graph."""
    error = run.trace.error or ""
    index = next((at for at, step in enumerate(run.steps) if step.raised and step.raised == error), None)
    if index is None or "second time" not in error:
        return
    step = run.steps[index]
    graphs = [name for name, state in step.tensors.items() if state.place[:1] == "n"]
    carried = carried_over(run, step.line)
    if name := next((one for one in graphs if one in carried), ""):
        yield Finding("freed", Severity.FAILS, carried[name], index, step.line, "over", {"name": name})
        return
    held = [name for name in graphs if re.search(r"[.\[]", name)]  # of objects and containers
    shown = ", ".join(f"`{name}`" for name in held[:3]) + ", …" * (len(held) > 3)
    fields = {"groups": shown} if held else {}
    yield Finding("freed", Severity.FAILS, step.line, index, None, "kept" if held else "unseen", fields)


def _dropped(run: WatchedRun, name: str, start: int, end: int) -> tuple[int, str] | None:
    """Return the line between two steps that detached a variable for nothing, and what it should be."""
    own = re.match(r"\w+", name)
    functions = (one for one in run.lines.every() if isinstance(one, ast.FunctionDef))
    detaching = {one.name for one in functions if any(map(_detaches, ast.walk(one)))}
    for step in run.steps[start : end + 1]:
        for one in run.lines.statements(step.line):
            call = one.value if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) else None
            function = (call and path(call.func)) or ""
            taken = [function.rpartition(".")[0]] if function.endswith(".detach") else []
            if call and function in detaching and len(call.args) == 1:
                taken = [path(call.args[0]) or ""]
            if own and own[0] in taken:
                return step.line, f"{own[0]} = {ast.unparse(one)}"
    return None


def _written_into(run: WatchedRun, new: list[Node], old: set[str]) -> tuple[int, str] | None:
    """Return the line that wrote by another name to a view of a tensor, and the name of that tensor."""
    known = old & run.nodes.keys()
    used = {place for node in new for place in node.next if place and id_of(place) in known}
    copies = {place for place in used if run.nodes[id_of(place)].name == "CopySlices"}
    names = [run.names[place] for place in copies if place in run.names]
    behind = (run.nodes[id] for id in run.behind(used) & run.nodes.keys())
    made = (run.made(node) for node in behind if node.name == "CopySlices")
    at = min((index for index in made if index >= 0), default=None)
    if at is None or not names:
        return None
    line, name = run.steps[at].line, min(names)
    own = re.findall(r"\w+", re.sub(r"\[.*", "", name))[-1]
    written = {part for one in run.expressions(line) for part in re.findall(r"\w+", path(one) or "")}
    return None if own in written else (line, name)


def _detaches(node: ast.AST) -> bool:
    """Tell whether a statement returns what `detach()` gives."""
    return isinstance(node, ast.Return) and node.value is not None and "detach(" in ast.unparse(node.value)


def _computed_once(run: WatchedRun, new: list[Node], old: set[str], one: WatchedPass) -> int | None:
    """Return the line that made what's used again, if that was before the loop around the pass."""
    used = {id_of(place) for node in new for place in node.next if place}
    made = (run.made(run.nodes[id]) for id in used & old if id in run.nodes)
    outside = [at for at in made if at >= 0 and len(run.steps[at].loops) < len(one.loops)]
    return _outermost(run, min(outside), run.steps[one.step].depth) if outside else None


def _beginning(
    run: WatchedRun, later: list[Node], old: set[str], one: WatchedPass
) -> list[tuple[int, str]]:
    """Return where what a pass uses again began, if before its loop: lines, the outermost last, and names."""
    used = {place for node in later for place in node.next if place and id_of(place) in old}
    behind = run.behind(used)
    nodes = [run.nodes[id] for id in behind & old]
    first = [node for node in nodes if run.trained & {id_of(place) for place in node.next if place}]
    at = min((made for made in map(run.made, first) if made >= 0), default=None)
    found = []
    while at is not None:
        step, before = run.steps[at], run.before(run.steps[at])
        new = {name: state for name, state in step.tensors.items() if name not in before}
        names = [name for name, state in new.items() if id_of(state.place) in behind]
        found += [(step.line, min(names))] if names and len(step.loops) < len(one.loops) else []
        at = run.caller(at)
    return found


def _outermost(run: WatchedRun, index: int, depth: int) -> int:
    """Return the line in which a step happened, of the function at a depth."""
    return next((step.line for step in run.steps[index:] if step.depth <= depth), run.steps[index].line)
