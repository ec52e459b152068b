"""A parameter begins with whatever was in its memory."""

import ast
from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.why.consumers import users_of
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun

RESERVES = {"Tensor", "FloatTensor", "empty"}  # functions of torch that only reserve memory


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find parameters made of reserved memory to which nothing is written before they're used."""
    used = users_of(run, run.stepped)
    found: dict[int, tuple[int, set[str]]] = {}
    for line, index in run.first_steps.items():
        for name in _reserved(run, line):
            state = run.steps[index].tensors.get(name)
            at = used.get(state.place) if state else None
            if state is None or at is None or run.seen[state.place] != index:
                continue
            known = (one for one in run.before(run.steps[at]).values() if one.place == state.place)
            now = next(known, None)
            if now and (now.version, repr(now.value)) == (state.version, repr(state.value)):
                found.setdefault(line, (index, set()))[1].add(state.place)
    for line, (index, places) in found.items():
        yield Finding("uninitialized", Severity.WRONG, line, index, None, "", run.named(places))


def _reserved(run: WatchedRun, line: int) -> Iterator[str]:
    """Yield the names that a line assigns to, if it wraps memory that's only reserved, as a parameter."""
    for one in run.lines.statements(line):
        if not isinstance(one, ast.Assign):
            continue
        calls = [part for part in ast.walk(one) if isinstance(part, ast.Call)]
        named = {(path(call.func) or "").rpartition(".")[2]: call for call in calls}
        is_size = all(_is_size(name, call) for name, call in named.items() if name in RESERVES)
        if named.keys() & RESERVES and is_size and named.keys() <= RESERVES | {"Parameter", "size"}:
            yield from filter(None, map(path, one.targets))


def _is_size(name: str, call: ast.Call) -> bool:
    """Tell whether a call is given a size: `torch.Tensor(n)` may as well be given what it copies."""
    arguments = [*call.args]
    is_list = any(isinstance(part, ast.List | ast.ListComp) for one in arguments for part in ast.walk(one))
    is_number = all(isinstance(one, ast.Constant | ast.Starred | ast.BinOp) for one in arguments)
    is_clear = len(arguments) > 1 or is_number
    return name == "empty" or (is_clear and not is_list)
