"""The form in which a trace is stored: JSON in which a step says only what it changed.

    {"torch": "2.13.0", "program": "my.py",             error, stopped, printed_at_end, nodes_hidden,
     "nodes": [NODE...], "edges": [EDGE...],              edges_hidden, notes, files, names, acts: as in Trace
     "t": {name: FACTS}, "steps": [STEP...]}             t: its `before`, if there is any

Wherever a class of `model` is written by the names of its fields, a field at its default is left out.
NODE, EDGE, Event, Saved, Gap, NoGradient, Note, SourceFile, Act and Stopped are such; `next` and `shape` are
lists.

STEP has `l` line, `d` depth (0), `f` function (null), `p` printed (""), `i` loops as [[line, iteration]...]
(as in the step before; at first none), `h` hidden ({}), `r` raised (null), `g` the Gap (null), `e` events
([]), and `t`, what became of the names: `{name: FACTS or null}`, null for a name that is gone. `b` says what
was different before the line, in the same way, where that isn't the state after the last step of the same
depth without one of a smaller depth in between. `a` is `given` ([]), `u` `missing` ([]), `x` `numbers` ({}),
`k` `returns` (false), `j` `skipped` (0), `o` `off` ("").

FACTS are the fields that are not as before; where the name is new, or where "=" is 1, all that are not
at their default. `v` value (null), `s` shape (that of the value), `d` dtype ("float32"), `c` device
("cpu"), `p` place (""), `g` grad_fn (null; the name of the node, if `nodes` has it), `r` requires_grad
(whether the place begins with n or l), `i` is_leaf (whether it does not begin with n), `n` version (0),
`m` storage (null). A value that is a `Range` is an object with its fields.
"""

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, replace
from typing import Any

from msgspec.json import decode, encode

from weaver.recording.acts import Act
from weaver.recording.model import (
    Edge,
    Event,
    Gap,
    Node,
    NoGradient,
    Note,
    Range,
    Saved,
    SourceFile,
    Step,
    Stopped,
    TensorState,
    Trace,
    Value,
)

States = dict[str, TensorState]
Teller = Callable[[TensorState], dict[str, Any]]
SCALARS = {float, int, bool, str}
# What is written where it stands, by the names of its fields
Part = Range | Saved | Event | Gap | NoGradient | Note | Stopped | SourceFile | Act

FACTS = {
    "v": "value",
    "s": "shape",
    "d": "dtype",
    "c": "device",
    "p": "place",
    "g": "grad_fn",
    "r": "requires_grad",
    "i": "is_leaf",
    "n": "version",
    "m": "storage",
}
HIDDEN = ("nodes_hidden", "edges_hidden")
HEAD = ("torch", "program", "error", "stopped", "printed_at_end", *HIDDEN, "notes", "files", "names", "acts")


def write(trace: Trace) -> str:
    """Return the compact form of a trace."""
    names = {node.id: node.name for node in trace.nodes}
    known: dict[int, dict[str, Any]] = {}  # what's told of facts, by their ids: they stand for many steps

    def told(facts: TensorState) -> dict[str, Any]:
        if (found := known.get(id(facts))) is None:
            found = known[id(facts)] = _told(facts, names)
        return found

    data = {key: value for key, value in _fields(trace).items() if key in HEAD}
    data["nodes"] = [_fields(node) for node in trace.nodes]
    data["edges"] = [_fields(edge) for edge in trace.edges]
    if trace.before:
        data["t"] = {name: told(facts) for name, facts in trace.before.items()}
    data["steps"] = list(_steps(trace.steps, trace.before, told))
    try:
        return encode(data).decode()
    except UnicodeEncodeError:  # half a character
        return encode(_whole(data)).decode()


def without_acts(trace: Trace) -> Trace:
    """Return a trace as if acts hadn't been asked for."""

    def bare(value: Value) -> Value:
        return replace(value, zero=0) if isinstance(value, Range) else value

    def plain(event: Event) -> Event:
        received = event.received and [*map(bare, event.received)]
        passed = event.passed and [*map(bare, event.passed)]
        before, after = bare(event.before), bare(event.after)
        return replace(event, received=received, passed=passed, before=before, after=after)

    steps = (replace(one, numbers={}, returns=False, off="") for one in trace.steps)
    return replace(trace, acts=[], steps=[replace(one, events=[*map(plain, one.events)]) for one in steps])


def read(text: str) -> Trace:
    """Return the trace that `write` made the text of. Raises ValueError, KeyError or TypeError."""
    data = decode(text)
    nodes = [_node(node) for node in data["nodes"]]
    trace = Trace(**{key: data[key] for key in HEAD if key in data})
    trace.stopped = Stopped(**data["stopped"]) if data.get("stopped") else None
    trace.notes = [Note(**note) for note in data.get("notes", ())]
    trace.files = [SourceFile(**one) for one in data.get("files", ())]
    trace.acts = [_act(act) for act in data.get("acts", ())]
    trace.nodes, trace.edges = nodes, [Edge(**edge) for edge in data["edges"]]
    names = {node.id: node.name for node in nodes}
    trace.before = {name: _facts(told, names) for name, told in data.get("t", {}).items()}
    state = trace.before
    last = [state]
    loops: tuple[tuple[int, int], ...] = ()
    for one in data["steps"]:
        state = _changed(state, one.get("t", {}), names)
        loops = tuple(map(tuple, one["i"])) if "i" in one else loops
        step = _step(one, state, loops)
        before = _follow(last, step)
        step.before = _changed(state, one["b"], names) if "b" in one else before
        trace.steps.append(step)
    return trace


def _follow(last: list[States], step: Step) -> States:
    """Return the state after the last step of a step's function; `last` has it for each depth."""
    del last[step.depth + 1 :]
    before = last[-1]
    last += [before] * (step.depth + 1 - len(last))
    last[step.depth] = step.tensors
    return before


def _changed(state: States, changes: dict[str, Any], names: dict[str, str]) -> States:
    state = dict(state)
    for name, change in changes.items():
        if change is None:
            state.pop(name)
        else:
            before = {} if name not in state or "=" in change else _told(state[name], names)
            state[name] = _facts({**before, **change}, names)
    return state


def _changes(state: States, after: States, told: Teller) -> dict[str, Any]:
    """Return what has to be said so that `after` is known where `state` is."""
    found: dict[str, dict[str, Any] | None] = {name: None for name in state if name not in after}
    for name, facts in after.items():
        if state.get(name) is not facts and state.get(name) != facts:
            found[name] = _change(state.get(name), facts, told)
    return found


def _whole(data: Any) -> Any:
    """Return data whose texts have no half of a character: its number instead."""
    if isinstance(data, dict):
        return {_whole(key): _whole(one) for key, one in data.items()}
    if isinstance(data, list | tuple):
        return list(map(_whole, data))
    return data.encode("utf-8", "backslashreplace").decode() if isinstance(data, str) else data


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _fields(thing: Trace | Node | Edge | Part) -> dict[str, Any]:
    """Return the fields of a dataclass that are not at their default."""
    every = ((field, getattr(thing, field.name)) for field in fields(thing))
    return {field.name: _plain(value) for field, value in every if value != _default(field)}


def _plain(value: Any) -> Any:
    if type(value) is list and {*map(type, value)} <= SCALARS:  # the innermost list of a tensor's value
        return value
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return _fields(value) if isinstance(value, Part) else value


def value(data: Any) -> Value:
    """Return a value of which JSON has been made."""
    if isinstance(data, list):
        return [value(one) for one in data]
    return Range(**{**data, "shape": tuple(data["shape"])}) if isinstance(data, dict) else data


def shape_of(value: Value) -> list[int]:
    """Return the shape of a value as far as it can be seen: that of an empty list ends with 0."""
    if isinstance(value, Range):
        return list(value.shape)
    return [len(value), *(shape_of(value[0]) if value else [])] if isinstance(value, list) else []


def _defaults(facts: dict[str, Any], value: Value, names: dict[str, str]) -> dict[str, Any]:
    """Return what the keys of FACTS are if they are not said."""
    place = facts.get("p", "")
    found = {"v": None, "s": shape_of(value), "d": "float32", "c": "cpu", "p": "", "n": 0, "m": None}
    graph = {"g": names.get(place.split(".")[0]), "r": place[:1] in ("n", "l"), "i": place[:1] != "n"}
    return {**found, **graph}


def _told(facts: TensorState, names: dict[str, str]) -> dict[str, Any]:
    """Return facts by the keys of FACTS, without what is at its default."""
    every = {key: _plain(getattr(facts, name)) for key, name in FACTS.items()}
    default = _defaults(every, facts.value, names)
    return {key: value for key, value in every.items() if value != default[key]}


def _facts(told: dict[str, Any], names: dict[str, str]) -> TensorState:
    known = value(told.get("v"))
    every = {**_defaults(told, known, names), **told, "v": known}
    every["s"] = tuple(every["s"])
    return TensorState(**{name: every[key] for key, name in FACTS.items()})


def _change(before: TensorState | None, after: TensorState, told: Teller) -> dict[str, Any]:
    """Return what has to be said of a tensor so that `after` is known where `before` is."""
    new = told(after)
    old = told(before) if before else {}
    if not old.keys() <= new.keys():
        return {"=": 1, **new}
    return {key: value for key, value in new.items() if key not in old or old[key] != value}


def _steps(steps: list[Step], state: States, told: Teller) -> Iterator[dict[str, Any]]:
    loops: tuple[tuple[int, int], ...] = ()
    last = [state]
    for step in steps:
        before = _follow(last, step)
        is_known = step.before is None or step.before is before or step.before == before
        said: dict[str, Any] = {
            "l": step.line,
            "d": step.depth,
            "f": step.function,
            "p": step.printed,
            "h": step.hidden,
            "r": step.raised,
            "g": step.gap and _fields(step.gap),
            "a": step.given,
            "u": [_fields(one) for one in step.missing],
            "x": step.numbers,
            "k": step.returns,
            "j": step.skipped,
            "o": step.off,
            "e": [_fields(event) for event in step.events],
            "t": _changes(state, step.tensors, told),
        }
        said = {key: value for key, value in said.items() if value or key == "l"}
        if not is_known:
            said["b"] = _changes(step.tensors, step.before or {}, told)
        yield {**said, "i": step.loops} if step.loops != loops else said
        state, loops = step.tensors, step.loops


def _step(one: dict[str, Any], state: States, loops: tuple[tuple[int, int], ...]) -> Step:
    return Step(
        line=one["l"],
        depth=one.get("d", 0),
        function=one.get("f"),
        printed=one.get("p", ""),
        tensors=state,
        hidden=one.get("h", {}),
        events=[_event(event) for event in one.get("e", [])],
        loops=loops,
        raised=one.get("r"),
        gap=Gap(**one["g"]) if "g" in one else None,
        given=tuple(one.get("a", ())),
        missing=tuple(NoGradient(**missing) for missing in one.get("u", ())),
        numbers=one.get("x", {}),
        returns=one.get("k", False),
        skipped=one.get("j", 0),
        off=one.get("o", ""),
    )


def _event(data: dict[str, Any]) -> Event:
    values = data.keys() & {"received", "passed", "local", "before", "after"}
    return Event(**{**data, **{key: value(data[key]) for key in values}})


def _node(data: dict[str, Any]) -> Node:
    saved = tuple(Saved(**{**one, "value": value(one.get("value"))}) for one in data.get("saved", ()))
    return Node(**{**data, "next": tuple(data.get("next", ())), "saved": saved})


def _act(data: dict[str, Any]) -> Act:
    pairs = {key: tuple(map(tuple, data[key])) for key in data.keys() & {"loops", "shapes"}}
    lists = {key: tuple(data[key]) for key in data.keys() & {"places", "grads", "updated"}}
    return Act(**{**data, **pairs, **lists})
