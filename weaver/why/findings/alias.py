"""What was kept of a parameter or a gradient isn't a copy: it changes with that."""

import ast
import re
from collections.abc import Iterable, Iterator

from weaver.recording.lines import path
from weaver.recording.model import Step, TensorState, Value
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun

COLLECT = "append", "extend"
# The attribute that a name ends with, with its index
AVERAGE = re.compile(r"(shadow|average|avg|(\b|_)ema(\b|_))\w*(\[[^\]]*\])*$", re.IGNORECASE)
# What's meant to follow a model, and not to be it
FOLLOWER = re.compile(r"(\b|_)(target|tgt|teacher|momentum|ema|old|slow|frozen|ref(erence)?)(\b|_)", re.I)
LOADED = re.compile(r"\bload_state_dict\(")
Content = tuple[int | None, Value] | None  # a version and values: a write by `.data` changes no version


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find what's kept of a trained leaf or of its gradient, and read after it was changed by others."""
    yield from _of_leaves(run)
    yield from _of_gradients(run)
    yield from _shallow(run)
    yield from _target(run)


def _of_leaves(run: WatchedRun) -> Iterator[Finding]:
    """Find what containers and objects hold of a trained leaf's storage, and a line reads after a write.

    What the program itself writes to through the container is meant to be the leaf's, unless it's an average.
    """
    own = _written(run)
    apart: set[str] = set()  # places of tensors that had a storage of their own: a leaf took it over later
    leaves: dict[int | None, tuple[str, Content]] = {}  # storage -> the leaf's place, what's in it
    kept: dict[str, tuple[int, str, Content]] = {}  # place -> first step, name and leaf's content there
    recording = {run.made(node) for node in run.nodes.values()}
    told: set[str] = set()  # containers
    names: set[str] = set()  # that were told
    for index, step in enumerate(run.steps):
        is_return = run.text(step.line)[:6] == "return"  # which only passes it on
        read = read_or_assigned(run, step, ast.Load) if kept and not is_return else set[str]()
        for name, state in run.before(step).items() if read else ():
            first, at_first, then = kept.get(state.place, (index, "", None))
            leaf, now = leaves.get(state.storage, ("", None))
            owner = container(name)
            is_loaded = bool(LOADED.search(run.text(step.line)))
            is_next = first < index and owner in read and owner not in told
            back = _put_back(run, step.line, at_first, leaf) if is_next and is_loaded else None
            if is_next and (then != now or back):
                told.add(owner)
                is_used = index in recording or is_loaded or AVERAGE.search(at_first)
                severity = Severity.WRONG if is_used else Severity.NOTE
                fields = {"name": at_first, "leaf": run.names.get(leaf, "")}
                line, at = (back, run.first_steps[back]) if back else _kept_by(run, first, at_first)
                if at_first not in names:
                    names.add(at_first)
                    yield Finding("alias", severity, line, at, step.line, "", fields)
        for state in step.tensors.values():
            if state.storage is not None and state.place in run.trained:
                leaves[state.storage] = state.place, (state.version, state.value)
        for name, state in step.tensors.items():
            leaf, content = leaves.get(state.storage, ("", None))
            if not leaf:
                apart.add(state.place)
            is_other = state.place[:1] == "p" and state.place[1:] != leaf[1:]  # else it's the leaf itself
            is_own = state.place in own and not AVERAGE.search(name)
            if leaf and is_other and container(name) and not is_own and state.place not in apart:
                kept.setdefault(state.place, (index, name, content))


def _kept_by(run: WatchedRun, first: int, name: str) -> tuple[int, int]:
    """Return the line that put what has a name into a container, first seen after a step, and its own step.

    If nobody watched it, it's the only line that assigns to the container, or by the key that it has there.
    """
    if run.has_gap(first - 1, first):
        filling = _filling(run.lines.every())
        key = name[name.rfind("[") :]
        own = [one for one in filling if any(_is_called(to, container(name)) for to in one.targets)]
        if not own and "'" in key:
            own = [one for one in filling if any(ast.unparse(to).endswith(key) for to in one.targets)]
        line = run.lines.first(own[0].lineno) if len(own) == 1 else None
        if line:
            return line, next((at for at in range(first, -1, -1) if run.steps[at].line == line), first)
    return run.steps[first].line, first


def _put_back(run: WatchedRun, line: int, name: str, leaf: str) -> int | None:
    """Return the line in an `if` that kept what another line loads, if it's of the model it's loaded into."""
    calls = (one.func for one in run.expressions(line) if isinstance(one, ast.Call))
    owners = {path(one.value) for one in calls if isinstance(one, ast.Attribute)} - {None}
    if not any(one.startswith(f"{owner}.") for one in run.aliases(leaf) for owner in owners):
        return None
    every = (one for one in run.lines.every() if isinstance(one, ast.If))
    blocks = [one for one in every if "__name__" not in ast.unparse(one.test)]
    filling = _filling(one for block in blocks for one in ast.walk(block))
    targets = [(one, part) for one in filling for to in one.targets for part in getattr(to, "elts", [to])]
    own = {run.lines.first(one.lineno) for one, part in targets if _is_called(part, container(name))}
    return own.pop() if len(own) == 1 else None


def _filling(nodes: Iterable[ast.AST]) -> list[ast.Assign]:
    """Return the assignments of something that's computed."""
    return [one for one in nodes if isinstance(one, ast.Assign) and not isinstance(one.value, ast.Constant)]


def _is_called(node: ast.expr, owner: str) -> bool:
    """Tell whether an expression is a container, of this name, or an element of it."""
    node = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(node, ast.Name | ast.Attribute) and _called(node) == owner


def _called(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else f".{node.attr}"


def _written(run: WatchedRun) -> set[str]:
    """Return the places of tensors that share a trained leaf's storage, and that a line writes to."""
    found = set()
    for step in run.steps:
        before = run.before(step)
        changed = {name: one for name, one in step.tensors.items() if _is_changed(before.get(name), one)}
        of_leaves = {one.storage: one.version for one in changed.values() if one.place in run.trained}
        others = {name: one for name, one in changed.items() if one.place not in run.trained}
        names = read_or_assigned(run, step, ast.Load) if others else set[str]()
        for name, one in others.items():  # one that's made by `.data` counts its writes on its own
            is_own = name in names and not LOADED.search(run.text(step.line))  # that only reads it
            if is_own or of_leaves.get(one.storage, one.version) != one.version:
                found.add(one.place)
    return found


def _is_changed(old: TensorState | None, new: TensorState) -> bool:
    return old is not None and old.place == new.place and old.version != new.version


def _of_gradients(run: WatchedRun) -> Iterator[Finding]:
    """Find gradients that containers and objects hold, and a line reads after a reset or a pass.

    What `.data` leads to isn't the gradient itself, but has its storage.
    """
    kept: dict[str, tuple[int, int, Content]] = {}  # name -> when it was put there, its storage and content
    leaves: dict[int, str] = {}  # storage of a gradient -> the place of its leaf
    taken: dict[int, int] = {}  # storage of a gradient -> the step that first put it anywhere
    written: set[str] = set()  # names in `kept` that others wrote to since
    others = sorted([one.step for one in run.passes] + [act.step for act in run.of("zero")])
    told: set[int | str] = set()  # lines and containers
    for index, step in enumerate(run.steps):
        before = run.before(step)
        for name, state in step.tensors.items():
            leaf = step.tensors.get(name[:-5]) if name.endswith(".grad") else None
            if leaf and state.storage is not None:
                leaves[state.storage] = leaf.place
        held = [(name, one) for name, one in step.tensors.items() if name in kept or one.storage in leaves]
        kinds = (ast.Load, ast.Store) if held or written else ()
        read, stored = [read_or_assigned(run, step, kind) for kind in kinds] or (set[str](), set[str]())
        for name in sorted(written & before.keys()):
            storage = kept[name][1]
            at, owner = taken[storage], container(name)
            if owner in read and not {run.steps[at].line, owner} & told:
                told |= {run.steps[at].line, owner}
                fields = {"name": name, "leaf": f"{run.names.get(leaves[storage], '')}.grad"}
                line, at = _kept_by(run, at, name)
                yield Finding("alias", Severity.WRONG, line, at, step.line, "grad", fields)
        for name, state in held:
            owner, content = container(name), (state.version, state.value)
            if not owner:
                continue
            at, storage, then = kept.get(name, (0, -1, None))
            if storage != state.storage or name not in before or owner in stored:
                written.discard(name)
                kept.pop(name, None)
                if state.storage is not None and state.storage in leaves:
                    kept[name] = index, state.storage, content
                    taken.setdefault(state.storage, index)
            elif then != content:
                if any(at < one <= index for one in others) and owner not in read:
                    written.add(name)
                kept[name] = at, storage, content


def _shallow(run: WatchedRun) -> Iterator[Finding]:
    """Find copies of modules by `copy.copy`, which have the same parameters."""
    seen = set[int]()
    for index, step in enumerate(run.steps):
        for one in () if step.line in seen else run.lines.statements(step.line):
            call = one.value if isinstance(one, ast.Assign) else None
            if not isinstance(one, ast.Assign) or not isinstance(call, ast.Call) or len(call.args) != 1:
                continue
            if path(call.func) not in ("copy.copy", "copy"):
                continue
            own, copied = (f"{path(node)}." for node in (call.args[0], one.targets[0]))
            held = {name: state.place for name, state in step.tensors.items() if state.place in run.trained}
            names = {name: f"{copied}{name.removeprefix(own)}" for name in held if name.startswith(own)}
            if same := [name for name, other in names.items() if held.get(other) == held[name]]:
                seen.add(step.line)
                fields = {"name": names[same[0]], "leaf": same[0]}
                yield Finding("alias", Severity.WRONG, step.line, index, None, "shallow", fields)


def _target(run: WatchedRun) -> Iterator[Finding]:
    """Find a target network or a teacher with the same parameters as the model that it should follow."""
    names = (name for place in run.stepped for name in run.aliases(place))
    if not any(map(FOLLOWER.search, names)):
        return
    seen: set[str] = set()
    for index, step in enumerate(run.steps):
        leaves = {name: one.place for name, one in step.tensors.items() if one.place[0] in "lp"}
        places = {name: place[1:] for name, place in leaves.items() if not name.endswith(".grad")}
        trained = {name for name, place in leaves.items() if place in run.stepped}
        owners = {name.rpartition(".")[0] for name in trained - seen if FOLLOWER.search(name)}
        seen |= trained
        roots = {root for owner in owners if (root := _follower(owner))}
        for root in sorted(roots):
            of_root = {name[len(root) :]: one for name, one in places.items() if name.startswith(f"{root}.")}
            for name, place in places.items():
                end = next((end for end, own in of_root.items() if own == place and name.endswith(end)), "")
                other = name.removesuffix(end) if end else ""
                is_model = other and not FOLLOWER.search(other) and other.count(".") == root.count(".")
                if is_model and all(places.get(f"{other}{end}") == own for end, own in of_root.items()):
                    fields = {"name": root, "leaf": other}
                    yield Finding("alias", Severity.WRONG, step.line, index, None, "target", fields)
                    return


def _follower(owner: str) -> str:
    """Return a name up to its first part that sounds like a follower's, "" if there's none."""
    parts = owner.split(".")
    found = (number for number, part in enumerate(parts, 1) if FOLLOWER.search(part))
    return ".".join(parts[: next(found, 0)])


def container(name: str) -> str:
    """Return the name of the list, dictionary or attribute that a tensor is in, "" for a variable.

    An attribute's begins with a dot.
    """
    path, bracket, _ = name.partition("[")
    before, dot, last = path.rpartition(".")
    return f"{dot}{last}" if (bracket or before) and not name.endswith(".grad") else ""


def read_or_assigned(run: WatchedRun, step: Step, kind: type[ast.expr_context]) -> set[str]:
    """Return the variables, and with a dot the attributes, that a line reads or assigns.

    What it only appends to isn't read.
    """
    nodes = [*run.expressions(step.line)]
    calls = (node.func for node in nodes if isinstance(node, ast.Call))
    adding = {id(one.value) for one in calls if isinstance(one, ast.Attribute) and one.attr in COLLECT}
    names = (node for node in nodes if isinstance(node, ast.Name | ast.Attribute) and id(node) not in adding)
    used = (node for node in names if isinstance(node.ctx, kind))
    return {_called(node) for node in used}
