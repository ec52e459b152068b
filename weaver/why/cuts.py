"""Where a run cuts the path of a gradient to some leaves, and which of these cuts lead to the loss."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from weaver.recording.lines import SWITCHES, path
from weaver.recording.model import TensorState, id_of
from weaver.why.run import WatchedPass, WatchedRun

OUT = {"detach": "detach()", "detach_": "detach_()", "data": ".data", "numpy": "numpy()"}
OUT |= {"item": "item()", "tolist": "tolist()"}
CUTS = "detach", *SWITCHES, "operation", "parameter", "backward"
COPIES = {"tensor", "as_tensor", "from_numpy", "float", "Tensor", "FloatTensor"}
LEADING_OUT = re.compile(rf"\b({'|'.join(sorted({'numpy', 'item', 'tolist', *COPIES}))})\(")  # of torch
DETACHES = re.compile(r"\b(detach_?(?=\()|(?<=\.)data\b)")
SAID = {"detach": "detach()", "operation": "", "parameter": "nn.Parameter()", "backward": "autograd.grad()"}
SAID |= {"set_grad_enabled": "torch.set_grad_enabled(False)"}


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut in a step: `by` what, nothing if an operation has no derivative.

    `start` are places before it; `end` are the ids of what it led to.
    """

    step: int
    by: str
    start: tuple[str, ...]
    end: frozenset[str]

    def switch(self, run: WatchedRun) -> tuple[int, int]:
        """Return the line to change, and its step."""
        return switch(run, run.steps[self.step].line, self.step, self.by)


def switch(run: WatchedRun, line: int, step: int | None, by: str) -> tuple[int, int]:
    """Return what switched recording off around the step of a line, if that's what cut; else the line.

    That's a line and a step: the one in the block, in the function that has the block.
    """
    is_off, at = any(word in by for word in SWITCHES), step
    while at is not None and is_off:
        if guard := run.guard(run.steps[at].line):
            return guard, at
        at = run.caller(at)
    last = len(run.steps) - 1 if step is None else step
    if is_off and (off := run.switched_off(last)):
        return off
    return line, last


def cutting(run: WatchedRun, index: int, why: str) -> tuple[int, str]:
    """Return the step whose line cut what a step shows, and by what: `detach()`, `.data`, `torch.no_grad()`.

    What a call is given detached is seen with the first line that the call runs.
    """
    at: int | None = index if why == "detach" else None
    while at is not None:
        if found := DETACHES.search(run.text(run.steps[at].line)):
            return at, OUT[found[1]]
        at = run.caller(at)
    return index, SAID.get(why, f"torch.{why}()")


def last_step(run: WatchedRun, line: int, end: int) -> int | None:
    """Return the last step of a line up to another step."""
    return next((at for at in range(end, -1, -1) if run.steps[at].line == line), None)


def last_cut(run: WatchedRun, leaves: set[str], before: int) -> Cut | None:
    """Return the last cut of a path to one of some leaves, in the last forward part that has any."""
    for first, last, _ in reversed(_parts(run, before)):
        for cut in _cuts(run, first, last):
            if run.behind(cut.start) & leaves:
                return cut
    return None


def cuts_to(run: WatchedRun, leaves: set[str]) -> dict[str, list[Cut]]:
    """Return what cuts off each of some leaves, in the first iteration where that leads to the loss.

    Where nothing is known to lead there, that's the last cut of the last iteration that leads out of torch,
    or by which a switch such as no_grad() left what was recorded: what's used only there can't be trained.
    """
    found: dict[str, list[Cut]] = {}
    parts = _parts(run, len(run.steps) - 1)
    for first, last, one in parts:
        reached = run.behind(one.roots)  # by other paths, as in a straight-through estimator
        cuts = [(cut, run.behind(cut.start) & leaves - reached) for cut in _cuts(run, first, last)]
        cuts = [(cut, ends) for cut, ends in cuts if ends - found.keys()]
        sources = _sources(run, one, first) if cuts else set()
        leading = [(cut, ends) for cut, ends in cuts if cut.end & sources]
        for leaf in leaves - found.keys():
            if several := [cut for cut, ends in leading if leaf in ends]:
                found[leaf] = several[::-1]
    for first, last, _ in reversed(parts):
        for cut in _cuts(run, first, last) if leaves - found.keys() else ():
            is_out = LEADING_OUT.search(run.text(run.steps[cut.step].line))
            is_switch = any(word in cut.by for word in SWITCHES) and cut.start[0][:1] == "n"
            if not is_out and not is_switch:
                continue
            found |= {leaf: [cut] for leaf in run.behind(cut.start) & leaves - found.keys()}
    return found


def _parts(run: WatchedRun, before: int) -> list[tuple[int, int, WatchedPass]]:
    """Return the first and last step of what led to each pass until a step, by `backward()` if any is."""
    every = [one for one in run.passes if one.step <= before]
    passes = [one for one in every if one.of == "backward"] or every
    ends = pairwise([-1, *(one.step for one in passes)])
    return [(start + 1, end, one) for (start, end), one in zip(ends, passes, strict=True)]


def _cuts(run: WatchedRun, first: int, last: int) -> Iterator[Cut]:
    """Yield the cuts in some steps, the last first."""
    for index in range(min(last, len(run.steps) - 1), first - 1, -1):
        step = run.steps[index]
        states = run.before(step)
        for name, by in _reads(run, step.line):
            kind, parts = ("l", name) if name[-1:] == "." else ("n", f"{name}[")
            places = [s.place for one, s in states.items() if one == name or one.startswith(parts)]
            if inputs := tuple(place for place in places if place[:1] == kind):
                yield Cut(index, by, inputs, frozenset(map(id_of, _written(run, index))))
        for name, by, read in [*_into_data(run, step.line), *_loaded(run, step.line, states)]:
            inputs = tuple(states[one].place for one in read if one in states and states[one].place[0] == "n")
            if inputs and name in states:
                yield Cut(index, by, inputs, frozenset([id_of(states[name].place)]))
        for edge in run.edges.get(index, ()):
            if edge.start[0] in "nl" and edge.why in CUTS:
                at, by = cutting(run, index, edge.why)
                yield Cut(at, by, (edge.start,), frozenset([id_of(edge.end)]))


def _sources(run: WatchedRun, one: WatchedPass, first: int) -> set[str]:
    """Return the ids of all that a pass's roots came from since a step, by what lines wrote and read."""
    inside = run.behind(one.roots)
    found = inside | {id_of(edge.start) for edge in run.trace.edges if id_of(edge.end) in inside}
    nodes = [run.nodes[id] for id in inside if id in run.nodes]
    found |= {id_of(saved.place) for node in nodes for saved in node.saved if saved.place}
    made = {run.made(node) for node in nodes}
    for index in range(min(one.step, len(run.steps) - 1), first - 1, -1):
        if index in made or found & {*map(id_of, _written(run, index))}:
            before = run.before(run.steps[index])
            names = map(path, run.expressions(run.steps[index].line))
            found |= {id_of(before[name].place) for name in names if name in before}
    return found


def _written(run: WatchedRun, index: int) -> set[str]:
    """Return the places of what's new after a step, or has new values."""
    before = run.before(run.steps[index])
    states = run.steps[index].tensors.items()
    known = ((before.get(name), state) for name, state in states)
    return {
        now.place
        for old, now in known
        if now is not old and (not old or (old.place, old.version) != (now.place, now.version))
    }


def _into_data(run: WatchedRun, line: int) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the names of the tensors whose `.data` a line writes to, by what, and what it reads for that."""
    statements = (one for one in run.lines.statements(line) if isinstance(one, ast.Assign))
    for one, target in ((each, target) for each in statements for target in each.targets):
        while isinstance(target, ast.Subscript):
            target = target.value
        if isinstance(target, ast.Attribute) and target.attr == "data" and (name := path(target.value)):
            yield name, ".data", [read for part in ast.walk(one.value) if (read := path(part))]


def _loaded(
    run: WatchedRun, line: int, states: Mapping[str, TensorState]
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the names of what a line's `load_state_dict()` writes to, by what, and what it takes for that."""
    for owner, given in loads(run, line):
        for name in states:
            if name.startswith(f"{owner}."):
                yield name, "load_state_dict()", [f"{given}['{name.removeprefix(owner)[1:]}']"]


def loads(run: WatchedRun, line: int) -> Iterator[tuple[str, str]]:
    """Yield the names of objects whose `load_state_dict()` a line calls, with that of what each is given."""
    for one in run.expressions(line):
        called = (path(one.func) or "") if isinstance(one, ast.Call) else ""
        owner, _, function = called.rpartition(".")
        if isinstance(one, ast.Call) and owner and function == "load_state_dict":
            yield owner, (path(one.args[0]) or "" if one.args else "")


def _reads(run: WatchedRun, line: int) -> Iterator[tuple[str, str]]:
    """Yield the names of what a line takes out of the graph, and by what: `net.` for what `net()` returns."""
    for node in run.expressions(line):
        if isinstance(node, ast.Attribute) and node.attr in OUT:
            called = path(node.value.func) if isinstance(node.value, ast.Call) else None
            if name := f"{called}." if called else path(node.value):
                yield name, OUT[node.attr]
        if isinstance(node, ast.Call):
            function = (path(node.func) or "").rpartition(".")[2]
            for one in node.args if function in COPIES else ():
                if name := path(one):
                    yield name, f"{function}()" if function == "float" else f"torch.{function}()"


def outs(run: WatchedRun, line: int) -> Iterator[str]:
    """Yield what in a line cuts something off."""
    for node in run.expressions(line):
        if isinstance(node, ast.Attribute) and node.attr in OUT:
            yield OUT[node.attr]
        elif isinstance(node, ast.Call) and (path(node.func) or "").rpartition(".")[2] in COPIES:
            yield f"{(path(node.func) or '').rpartition('.')[2]}()"
