"""A trace spelled out: the whole state after every step, for programs that read it."""

from dataclasses import asdict
from typing import Any

from weaver.player.words import note, stopped
from weaver.recording.model import Event, Range, Step, TensorState, Trace, Value


def spell_out(trace: Trace) -> dict[str, Any]:
    """Return plain data for JSON: each step with all tensors, by name.

    What was left out is said where it is missing: `left_out` of a step, `hidden` of a state.
    """
    names = {node.id: node.name for node in trace.nodes}
    data: dict[str, Any] = {"torch": trace.torch, "program": trace.program, "error": trace.error}
    data["steps"] = [_step(step, names) | _place(step.line, trace) for step in trace.steps]
    data["nodes"] = [asdict(node) for node in trace.nodes]
    data["edges"] = [asdict(edge) for edge in trace.edges]
    if trace.stopped:
        data["stopped"] = stopped(trace.stopped)
    if trace.notes:
        data["notes"] = list(map(note, trace.notes))
    rest = ("printed_at_end", "nodes_hidden", "edges_hidden")
    return data | {key: getattr(trace, key) for key in rest if getattr(trace, key)}


def _place(line: int, trace: Trace) -> dict[str, Any]:
    """Return where a line is that's in a file beside the program."""
    file = next((one for one in reversed(trace.files) if one.first <= line), None)
    return {"file": file.name, "line": line - file.first + 1} if file else {}


def _step(step: Step, names: dict[str, str]) -> dict[str, Any]:
    said: dict[str, Any] = {name: getattr(step, name) for name in ("line", "depth", "function", "printed")}
    said["tensors"] = {name: _facts(name, step) for name in step.tensors}
    said["engine"] = [_event(event, names) for event in step.events]
    gap = step.gap and asdict(step.gap)
    extra: dict[str, Any] = {"raised": step.raised, "loops": step.loops, "hidden": step.hidden}
    extra |= {"left_out": gap, "missing_gradients": [asdict(one) for one in step.missing]}
    return said | {key: value for key, value in extra.items() if value}


def _value(value: Value) -> Value | dict[str, Any]:
    if isinstance(value, Range):
        return {name: one for name, one in asdict(value).items() if name != "shape"}
    return value


def _facts(name: str, step: Step) -> dict[str, Any]:
    facts: TensorState = step.tensors[name]
    grad = step.tensors.get(f"{name}.grad")
    said = asdict(facts) | {"value": _value(facts.value), "grad": grad and _value(grad.value)}
    order = ("value", "shape", "dtype", "requires_grad", "is_leaf", "grad_fn", "grad", "version", "storage")
    return {key: said[key] for key in order} | {"place": facts.place, "device": facts.device}


def _event(event: Event, names: dict[str, str]) -> dict[str, Any]:
    said = {key: value for key, value in asdict(event).items() if value is not None and key != "node"}
    for key in ("received", "passed", "local"):
        if key in said:
            said[key] = [_value(one) for one in getattr(event, key)]
    if event.node:
        said["node"] = names.get(event.node.split(".")[0], "AccumulateGrad")
        said["place"] = event.node
    return said
