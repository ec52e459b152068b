"""A line means to change something, and only sets an attribute or a variable."""

import ast
from collections.abc import Iterator
from difflib import SequenceMatcher

from weaver.recording.lines import expressions, path
from weaver.why.finding import Finding, Severity
from weaver.why.groups import groups
from weaver.why.run import WatchedRun

ATTRIBUTE = "requires_grad"
SWITCHED = {"True", "False"}
SETTINGS = {"lr", "learning_rate", "weight_decay", "momentum"}
ALIKE = 0.85  # of a name's letters that it has in the same order, at least, if it's misspelled


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that set `requires_grad` of what's no parameter, or of a part, or that misspell it."""
    found: dict[int, tuple[int, str, str, bool, set[str]]] = {}  # line -> first step, what's set, parameters
    kinds = run.kinds | {"weight", "bias"}
    for index, step in enumerate(run.steps):
        for name, attribute, is_on in _set(run, step.line):
            parts = {one: state.place for one, state in step.tensors.items() if one.startswith(f"{name}.")}
            parts = {one: place for one, place in parts.items() if one.rpartition(".")[2] in kinds}
            is_typo = attribute != ATTRIBUTE
            if is_typo and name in step.tensors:
                parts = {name: step.tensors[name].place}
            held = {place for place in parts.values() if place[:1] == ("p" if is_on else "l")}
            if held and (is_typo or name not in step.tensors):
                found.setdefault(step.line, (index, name, attribute, is_on, set()))[4].update(held)
    for line, (index, name, attribute, is_on, places) in found.items():
        fields = {"name": name, "groups": groups(run.names.get(place, "") for place in places)}
        is_typo = attribute != ATTRIBUTE
        fields["call"] = attribute if is_typo else f"{name}.requires_grad_({is_on})"
        case = "_".join(["misspelled"] * is_typo + ["on"] * is_on)
        yield Finding("attribute", Severity.WRONG, line, index, None, case, fields)
    yield from _parts(run)
    yield from _settings(run)
    yield from _rebound(run)
    yield from _volatile(run)
    yield from _recomputed(run)


def _recomputed(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that write in place to a weight that's computed from others, as by weight normalization."""
    for line, index in run.first_steps.items():
        for target in _written(run, line):
            owner, _, kind = target.rpartition(".")
            tail = owner.removeprefix("self")  # the object has another name outside
            ends = (f"{tail}.parametrizations.{kind}.original", f"{tail}.{kind}_v", f"{tail}.{kind}_orig")
            known = {**run.before(run.steps[index]), **run.steps[index].tensors}
            leaves = [name for name, state in known.items() if state.place[:1] == "l"]
            sources = sorted(name for name in leaves if tail and any(end in name for end in ends))
            if sources and not any(name.endswith(f"{tail}.{kind}") for name in leaves):
                fields = {"name": target, "leaf": f"{owner}{sources[0].partition(tail)[2]}"}
                yield Finding("attribute", Severity.WRONG, line, index, None, "recomputed", fields)


def _written(run: WatchedRun, line: int) -> Iterator[str]:
    """Yield the names of the tensors that a line writes to in place, by a method or an index."""
    for one in run.lines.statements(line):
        targets = one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]
        calls = [part.func for part in expressions(one) if isinstance(part, ast.Call)]
        methods = [each for each in calls if isinstance(each, ast.Attribute) and each.attr[-1:] == "_"]
        parts = [each.value for each in targets if isinstance(each, ast.Subscript)]
        yield from map(_whole, parts + [each.value for each in methods])


def _whole(part: ast.expr) -> str:
    """Return the name of the tensor that an expression takes elements or `.data` of."""
    is_data = isinstance(part, ast.Attribute) and part.attr == "data"
    if isinstance(part, ast.Subscript | ast.Attribute) and (is_data or isinstance(part, ast.Subscript)):
        return _whole(part.value)
    return path(part) or ""


def _settings(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that set an optimizer's `lr`, which it reads from its groups."""
    makers = (one for act in run.of("optimizer") for one in run.lines.statements(act.line))
    assigned = [target for one in makers if isinstance(one, ast.Assign) for target in one.targets]
    optimizers = {_last(target) for target in assigned} - {""}
    for line, index in run.first_steps.items():
        for one in run.lines.statements(line):
            targets = one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]
            for target in targets:
                if not isinstance(target, ast.Attribute) or target.attr not in SETTINGS:
                    continue
                if _last(target.value) in optimizers:
                    fields = {"name": path(target.value) or "", "call": target.attr}
                    yield Finding("attribute", Severity.WRONG, line, index, None, "setting", fields)


def _parts(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that set `requires_grad` of some elements, which are a new tensor."""
    for line, index in run.first_steps.items():
        for target in (one for node in run.lines.statements(line) for one in _switched(node)):
            whole = path(target.value) if isinstance(target, ast.Subscript) else None
            if whole in run.steps[index].tensors:
                hook = f"{whole}.register_hook(lambda grad: grad * mask)"
                fields = {"name": ast.unparse(target), "leaf": whole or "", "call": hook}
                severity = Severity.FAILS if run.steps[index].raised else Severity.WRONG
                yield Finding("attribute", severity, line, index, None, "part", fields)


def _switched(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield what a statement only sets `requires_grad` of."""
    for target in statement.targets if isinstance(statement, ast.Assign) else ():
        if isinstance(target, ast.Attribute) and target.attr == ATTRIBUTE:
            yield target.value
    call = statement.value if isinstance(statement, ast.Expr) else None
    method = call.func if isinstance(call, ast.Call) else None
    if isinstance(method, ast.Attribute) and method.attr == f"{ATTRIBUTE}_":
        yield method.value


def _volatile(run: WatchedRun) -> Iterator[Finding]:
    """Find the first `Variable(x, volatile=True)` where operations are recorded all the same."""
    for line, index in sorted(run.first_steps.items()):
        calls = (one for one in run.expressions(line) if isinstance(one, ast.Call))
        given = {keyword.arg: ast.unparse(keyword.value) for one in calls for keyword in one.keywords}
        if given.get("volatile") == "True" and not run.steps[index].off:
            yield Finding("attribute", Severity.NOTE, line, index, None, "volatile")
            return


def _last(node: ast.expr) -> str:
    """Return the last part of a name: `self.optimizer` is `optimizer`."""
    return (path(node) or "").rpartition(".")[2]


def _rebound(run: WatchedRun) -> Iterator[Finding]:
    """Find lines such as `p = p - lr * p.grad`, which leave the tensor that `p` was as it is."""
    idle = {one for loop in run.lines.every() if isinstance(loop, ast.For) for one in _last_of(loop)}
    for line, index in run.first_steps.items():
        for one in run.lines.statements(line):
            name, read = _updated(one)
            state = run.before(run.steps[index]).get(name)
            if not state or state.place[:1] == "n" or name not in read:
                continue
            after = run.steps[index].tensors.get(run.names.get(state.place, ""), state)
            if (after.place, after.version) != (state.place, state.version):
                continue
            later = [each for each in run.passes if each.step > index and state.place in each.ids()]
            is_part = "." in (leaf := run.names.get(state.place, name))
            if (one in idle and is_part) or (f"{name}.grad" in read and len(later) > 1):
                fields = {"name": name, "leaf": leaf}
                yield Finding("attribute", Severity.WRONG, line, index, None, "rebound", fields)


def _updated(statement: ast.stmt) -> tuple[str, set[str | None]]:
    """Return the variable that a statement assigns to, if there's one, and what it reads."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return "", set()
    return statement.targets[0].id, {path(node) for node in expressions(statement.value)}


def _last_of(loop: ast.For) -> Iterator[ast.stmt]:
    """Yield the last statement of a loop if it assigns to a variable of the loop, where nobody reads it."""
    names = {part.id for part in expressions(loop.target) if isinstance(part, ast.Name)}
    if _updated(loop.body[-1])[0] in names:
        yield loop.body[-1]


def _set(run: WatchedRun, line: int) -> Iterator[tuple[str, str, bool]]:
    """Yield what a line sets `requires_grad`, or an attribute that's spelled about so, of, and to what."""
    for one in run.lines.statements(line):
        if isinstance(one, ast.Assign) and ast.unparse(one.value) in SWITCHED:
            for target in one.targets:
                if isinstance(target, ast.Attribute) and _is_alike(target.attr):
                    yield path(target.value) or "", target.attr, ast.unparse(one.value) == "True"


def _is_alike(name: str) -> bool:
    return SequenceMatcher(None, name, ATTRIBUTE).ratio() >= ALIKE
