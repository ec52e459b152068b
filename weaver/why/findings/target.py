"""A loss trains what its target comes from, too."""

import re
from collections.abc import Iterator, Mapping

from weaver.recording.lines import path
from weaver.recording.model import Node, TensorState, id_of
from weaver.why.finding import Finding, Severity
from weaver.why.groups import groups
from weaver.why.run import WatchedPass, WatchedRun
from weaver.why.uses import uses

States = Mapping[str, TensorState]
Backward = list[tuple[set[str], set[str]]]  # what each pass could go through, and what of it counts
LOG = re.compile(r"log_?p|log_?lik|\bll\b|log_?softmax|ratio|surr", re.IGNORECASE)  # of a policy, in a line
LIKELIHOOD = re.compile(r"log_?p|log_?lik|\bll\b", re.IGNORECASE)  # in a name
FOLLOWS = re.compile(r"target|(\b|_)ema(\b|_)|encoder_k|slow", re.IGNORECASE)  # in the name of a network
SEVERAL = 20  # steps of an optimizer, in which what follows a network has moved
TARGET = re.compile(  # in a name
    r"target|td_|expected|teacher|bellman|backup|next|(\b|_)returns?(\b|_)", re.IGNORECASE
)
PREDICTION = re.compile(r"(\b|_)(hat|pred\w*|output)(\b|_)", re.IGNORECASE)
WEIGHT = re.compile(rf"adv|delta|{TARGET.pattern}", re.IGNORECASE)
WEIGHTS = re.compile(r"(\b|_)weights?$")  # in a name; a focal loss's aren't meant to be constant
COPY = re.compile(r"\.(copy_|lerp_|mul_|set_|load_state_dict)\(|\.data\s*=")


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find passes that reach parameters which the program copies from others that they reach as well."""
    copied = _copied(run)
    known = {one.place: one for step in run.steps for one in step.tensors.values()} if copied else {}
    for one in run.passes if copied else ():
        reached = {place for place in one.given() if place in run.names and place in known}
        own = {place: known[place] for place in reached & copied.keys()}
        others = {run.names[place]: known[place] for place in reached - own.keys()}
        twins = _twins(run, own, others)
        if any(_is_source(run, copied[place], others[twin]) for place, twin in twins.items()):
            targets, twin = [*twins], min(twins.values())
            at = _used(run, one, targets[0])
            also = run.steps[copied[targets[0]]].line
            fields = run.named(targets) | {"also": str(also), "leaf": twin}
            yield Finding("target", Severity.WRONG, run.steps[at].line, at, one.line, "", fields)
            return
    passes = [(one, run.behind(one.roots)) for one in run.passes if one.of == "backward"]
    used, _ = uses(run)
    using = [(graph, {*used[one.number]} | (run.in_closures & {*one.given()})) for one, graph in passes]
    yield from [*_own(run, using)] or _difference(run, using)
    yield from _weight(run, [(graph, one.ids()) for one, graph in passes])
    yield from _still(run)


def _own(run: WatchedRun, backward: Backward) -> Iterator[Finding]:
    """Find the first loss function whose target isn't a constant, but trained by this loss, too."""
    for act in (one for one in run.of("loss") if one.step >= 0 and len({*one.places}) > 1):
        given, target = (run.behind([place]) for place in act.places)
        ends = {id_of(place) for place in act.places}
        reached = {id for graph, ids in backward if ends <= graph for id in ids}
        if trained := target & run.stepped & reached:
            both = trained & given
            name, leaf = run.names.get(act.places[1], ""), run.usual(min(both or trained))
            fields = {"name": name, "by": f"{act.name}()", "leaf": leaf}
            severity = Severity.WRONG if TARGET.search(f"{name} {leaf}") else Severity.NOTE
            yield Finding("target", severity, act.line, act.step, None, "own" if both else "trained", fields)
            return


def _difference(run: WatchedRun, backward: Backward) -> Iterator[Finding]:
    """Find a difference in a loss of which both sides train the same leaf, though one is called a target."""
    for node in run.trace.nodes if run.stepped else ():
        at = run.made(node)
        if node.name != "SubBackward0" or at < 0 or not all(node.next):
            continue
        states = {**run.before(run.steps[at]), **run.steps[at].tensors}
        named = {id_of(one.place): name for name, one in states.items() if TARGET.search(name)}
        left, right = (run.behind([place]) for place in node.next if place)
        apart = [(id, named[id]) for id in left ^ right if id in named]
        names = [name for id, name in apart if _reads(run, at, name) and _is_called_so(run, at, id)]
        names = [name for name in names if not PREDICTION.search(name)] if len(names) == 1 else []
        reached = {id for graph, ids in backward if node.id in graph for id in ids} if names else set()
        if both := left & right & run.stepped & reached:
            fields = {"name": min(names), "leaf": run.usual(min(both))}
            yield Finding("target", Severity.WRONG, run.steps[at].line, at, None, "difference", fields)
            return


def _is_called_so(run: WatchedRun, at: int, id: str) -> bool:
    """Tell whether what's called a target isn't called otherwise where a function was called with it."""
    caller = run.steps[run.callers[at]]
    states = {**run.before(caller), **caller.tensors} if run.callers[at] != at else {}
    given = [name for name, one in states.items() if id_of(one.place) == id]
    return not given or any(map(TARGET.search, given))


def _weight(run: WatchedRun, backward: Backward) -> Iterator[Finding]:
    """Find a product with log-probabilities in which the advantage, or the target, isn't a constant."""
    steps = run.of("step")
    holders = {place: act.of for act in steps for place in act.places}
    for node in run.trace.nodes if steps else ():
        at = run.made(node)
        if node.name != "MulBackward0" or at < 0 or not all(node.next):
            continue
        if not LOG.search(run.text(run.steps[at].line)):
            continue
        weight, other, name = _weighing(run, node, {**run.before(run.steps[at]), **run.steps[at].tensors})
        own, policy = (run.behind([place]) & holders.keys() for place in (weight, other))
        outer = own - policy
        is_focal = not outer and WEIGHTS.search(name) and not WEIGHT.search(name)
        if not name or not policy or not own or is_focal:
            continue
        optimizers = {holders[one] for one in policy}
        # The gradients of other optimizers are reset before their own steps
        used = [each for each in (outer or own, own & policy) if optimizers & {holders[one] for one in each}]
        trained = used[0] if used else outer
        if trained & {id for graph, ids in backward if node.id in graph for id in ids}:
            fields = {"name": name, "leaf": run.usual(min(trained)), "call": f"{name}.detach()"}
            severity = Severity.WRONG if used else Severity.NOTE
            yield Finding("target", severity, run.steps[at].line, at, None, "weight", fields)
            return


def _weighing(run: WatchedRun, node: Node, states: States) -> tuple[str, str, str]:
    """Return the sides of a product, first the weight of a log-probability, and the weight's name.

    A difference without a name goes by that of the side with a gradient.
    """
    sides = [place for place in node.next if place]
    weights = ((name, one.place) for name, one in states.items() if WEIGHTS.search(name))
    named = {place: name for name, place in weights if place[:1] == "n"}
    named |= {one.place: name for name, one in states.items() if WEIGHT.search(name)}
    weight, other = sorted(sides, key=lambda place: place not in named)
    if weight in named:
        return weight, other, named[weight]
    logs = {one.place for name, one in states.items() if LIKELIHOOD.search(name)}
    weight, other = sorted(sides, key=lambda place: place in logs)
    difference = run.nodes.get(id_of(weight))
    if other not in logs or not difference or difference.name != "SubBackward0":
        return weight, other, ""
    inner = {one.place: name for name, one in states.items() if one.place in difference.next}
    return weight, other, min(inner.values(), default="")


def _still(run: WatchedRun) -> Iterator[Finding]:
    """Find networks named as if they followed another one, whose values are used and never change."""
    steps = max((act.steps for act in run.of("optimizer")), default=0)
    named = {place: run.names[place].split(".") for place in run.touched & run.names.keys() - run.stepped}
    followers = [
        place
        for place, path in named.items()
        if place[:1] in ("l", "p") and path[-1] in run.kinds and FOLLOWS.search(".".join(path[:-1]))
    ]
    start = max(run.passes[0].step, 0) if run.passes else 0
    contents = {  # a write by `.data` changes no version
        (state.place, state.version, state.storage, repr(state.value))
        for step in run.steps[start:]  # before that, it may be initialized
        for state in step.tensors.values()
        if state.place in followers
    }
    final = {state.place for step in run.steps[-1:] for state in step.tensors.values()}
    is_seen = {*followers} <= final  # else they're among what is hidden of a large model
    if followers and is_seen and steps >= SEVERAL and len(contents) == len(followers):
        at = run.first(followers)
        index = at or 0
        fields = {"groups": groups((run.names[place] for place in followers), len(followers))}
        yield Finding("target", Severity.NOTE, run.steps[index].line, index, None, "still", fields)


def _reads(run: WatchedRun, at: int, name: str) -> bool:
    """Tell whether the line of a step has a name."""
    return any(path(one) == name for one in run.expressions(run.steps[at].line))


def _twins(run: WatchedRun, copied: States, others: States) -> dict[str, str]:
    """Return the places of a module's parameters that have twins in another, each with its twin's name.

    `target.0.weight` is one of `net.0.weight`: all that's in `target` has its twin in `net`, of its shape.
    `copied` are by places, `others` by names.
    """
    paths = {place: run.names[place].split(".") for place in sorted(copied)}
    for own in paths.values():
        for other in (name.split(".") for name in others):
            different = [at for at, part in enumerate(own) if other[at : at + 1] != [part]]
            at = different[0] if different else len(own)
            if len(other) != len(own) or len(different) != 1 or at == len(own) - 1 or other[at].isdigit():
                continue
            whole = {place: path for place, path in paths.items() if path[: at + 1] == own[: at + 1]}
            twins = {
                place: ".".join([*path[:at], other[at], *path[at + 1 :]]) for place, path in whole.items()
            }
            if all(
                twin in others and others[twin].shape == copied[place].shape for place, twin in twins.items()
            ):
                return twins
    return {}


def _is_source(run: WatchedRun, index: int, twin: TensorState) -> bool:
    """Tell whether the line of a step reads a tensor, or what shares its storage."""
    names = {path(one) for one in run.expressions(run.steps[index].line)} - {None}
    states = run.before(run.steps[index])
    read = (state for name, state in states.items() if names & {*_owners(name)})
    return any(one.place == twin.place or one.storage == twin.storage for one in read)


def _owners(name: str) -> Iterator[str]:
    """Yield a name and the names of what it's part of: `net.0.weight`, `net.0`, `net`."""
    yield name
    for found in re.finditer(r"[.\[]", name):
        yield name[: found.start()]


def _copied(run: WatchedRun) -> dict[str, int]:
    """Return the leaves that a line writes to after a pass, other than by their gradients, and its step."""
    found: dict[str, int] = {}
    start = run.passes[0].step if run.passes else len(run.steps)
    for index, step in enumerate(run.steps[start:], start):
        text = run.text(step.line)
        if step.gap or not COPY.search(text) or ".grad" in text:
            continue
        before = run.before(step)
        for name, state in step.tensors.items():
            old = before.get(name)
            if old and old.place == state.place and state.place[:1] == "l" and old.version != state.version:
                found[state.place] = index
    return found


def _used(run: WatchedRun, one: WatchedPass, leaf: str) -> int:
    """Return the step that used a leaf for a pass, if known in the function that called `backward()`."""
    users = [run.nodes[id] for id in one.ids() if id in run.nodes]
    made = [run.made(node) for node in users if leaf in map(id_of, filter(None, node.next))]
    at = min((index for index in made if 0 <= index <= one.step), default=one.step)
    while run.steps[at].depth > run.steps[one.step].depth:
        caller = run.caller(at)
        if caller is None:
            break
        at = caller
    return at
