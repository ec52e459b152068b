"""The part of a watched run that leads to some variables."""

import ast

import msgspec

from weaver.graph.recorded import Graph, write
from weaver.graph.variables import evaluate, parse
from weaver.graph.worker import tensors as t
from weaver.graph.worker import torch_private as private
from weaver.graph.worker.torch_private import tensors
from weaver.graph.worker.values import text
from weaver.graph.worker.watch import Watch, box_of

LIMIT = 1000  # boxes of the largest graph that is handed on
BEYOND = 100  # slots from here on are inputs of the operation, not of its node, and sort behind those


def see(watch: Watch, argument: str, namespace: dict) -> str:
    """Return the `Graph` that leads to the variables `a, b` of `a, b, backward=N`, as JSON.

    `backward` is the pass whose gradients are given, counted from 1; without it the last that went
    through one of the variables. Raises ValueError if it is larger than LIMIT, and what evaluating
    the variables raises.
    """
    options = parse(argument)[1]
    which = ast.literal_eval(options["backward"]) if "backward" in options else None
    if watch.broken:
        raise ValueError(f"the graph couldn't be recorded: {watch.broken}")
    with watch.asleep():
        watch.catch_up()
        watch.name_members()
        roots = []
        for name, value in evaluate(argument, namespace):
            found = tensors(value)
            if not found:
                raise TypeError(f"{name} isn't a tensor")
            roots += [watch.place(tensor) for tensor in found]
        graph = _reached(watch, roots)
        graph["roots"] = list(dict.fromkeys(map(box_of, roots)))
        _add_state(watch, graph)
        _add_pass(watch, graph, which)
    return write(msgspec.convert(graph, Graph))


def _reached(watch, roots):
    """Return the boxes and edges that lead to `roots`, also those behind a cut."""
    places, edges, todo = {}, [], list(roots)  # places: of each box, those that were reached
    while todo:
        place = todo.pop()
        box = box_of(place)
        known = box in places
        places.setdefault(box, []).append(place)
        if not known:
            edges += (found := list(_edges(watch, place, place in roots)))
            todo += [edge["start"] for edge in found]
    if len(places) > LIMIT:
        raise ValueError(f"the graph has {len(places)} nodes and tensors, more than {LIMIT}")
    order = {place: number for number, place in enumerate(watch.facts)}
    outputs = {}
    for place in watch.facts:
        outputs.setdefault(box_of(place), []).append(place)
    first = {}
    for box, found in places.items():
        # a node has all its outputs, a leaf the version that went into this graph
        found = (
            outputs.get(box, [])
            if box[0] == "n"
            else sorted(found, key=lambda p: order.get(p, len(order)))[:1]
        )
        places[box] = [place for place in found if place in order]
        first[box] = order[places[box][0]] if places[box] else len(order)
    for edge in edges:
        edge["output"] = int(edge["start"].split(".")[1]) if edge["start"][0] == "n" else 0
        edge["start"] = box_of(edge["start"])
    boxes = [_box_facts(watch, box, places[box]) for box in sorted(places, key=first.get)]
    return {"boxes": boxes, "edges": sorted(edges, key=lambda edge: (first[edge["end"]], edge["slot"]))}


def _edges(watch, place, asked):
    """Yield the edges that end in the value at `place`; without history only if it was `asked` for.

    Those of the graph come from the node; that of what is no part of it, from the operation that ran.
    """
    box, made = box_of(place), watch.made.get(place)
    if box[0] == "n":
        used = {box_of(input): input for input in made["inputs"]} if made else {}
        for slot, earlier in enumerate(watch.nodes[box]["next"]):
            if earlier:
                start = used.get(earlier.split(".")[0], earlier) if earlier[0] == "l" else earlier
                yield {"start": start, "end": box, "slot": slot, "kind": "recorded"}
        made = None if watch.nodes[box]["custom"] else made
    elif made and not (watch.has_history(made) or (asked and box[0] == "p")):
        made = None
    for slot, earlier in enumerate(made["inputs"] if made else []):
        if earlier[0] == "p":
            yield {"start": earlier, "end": box, "slot": BEYOND + slot, "kind": "constant"}
        elif box[0] != "n":
            yield {"start": earlier, "end": box, "slot": BEYOND + slot, "kind": "cut", "why": made["why"]}


def _box_facts(watch, box, places):
    made = next((watch.made[place] for place in places if place in watch.made), None)
    facts = {"id": box, "operation": made["operation"] if made else None}
    if box[0] == "n":
        node = watch.nodes[box]
        facts |= {"kind": "operation", "node": node["node"], "custom": node["custom"]}
        facts["saved"] = [{"name": name, **saved} for name, saved in node["saved"].items()]
    elif box[0] == "l":
        facts["kind"] = "leaf"
    else:
        facts["kind"] = "unrecorded" if made and made["inputs"] else "constant"
    facts["outputs"] = [{"place": p, "names": watch.names.get(p, []), **watch.facts[p]} for p in places]
    return facts


def _add_state(watch, graph):
    """Add what is so at the end: what is freed or changed, who keeps a gradient, who shares storage."""
    alive = {}
    for reference, _ in watch.numbers.values():
        tensor = reference()
        if tensor is not None:
            alive.setdefault(box_of(watch.place(tensor)), []).append(tensor)
    live = watch.live_nodes([t.grad_fn(tensor) for found in alive.values() for tensor in found])
    storages = {}
    for box in graph["boxes"]:
        name = box["id"]
        if name[0] == "n":
            gone = any(saved["tensor"] for saved in box["saved"])
            box["freed"], changed = watch.state(live[name]) if name in live else (gone, {})
            for saved in box["saved"]:
                saved["now"] = changed.get(saved["name"], saved["version"])
        for tensor in alive.get(name, []):
            _add_tensor(watch, box, tensor)
            if t.layout(tensor) == t.STRIDED and t.numel(tensor):
                storages.setdefault(private.storage(tensor), set()).add(name)
    graph["shares"] = [sorted(group) for group in storages.values() if len(group) > 1]


def _add_tensor(watch, box, tensor):
    """Add what is so at the end of a tensor that is still there."""
    is_leaf = box["id"][0] == "l"
    if is_leaf or t.retains_grad(tensor):
        box |= {"keeps": True, "grad": text(t.grad(tensor))}
    if hooks := private.hooks(tensor):
        box["hooks"] = len(hooks)
    for output in box["outputs"]:
        same = is_leaf or output["place"] == watch.place(tensor)
        if same and output["value"] != text(tensor):
            output["now"] = text(tensor)  # written to since, unseen by the graph
    if t.is_inference(tensor):
        box["inference"] = True


def _add_pass(watch, graph, which):
    """Add the steps of a backward pass, and how many passes went through the asked variables."""
    boxes = {box["id"]: box for box in graph["boxes"]}
    through = []
    for number, done in enumerate(watch.passes):
        every = ({**step, "visit": [number, i]} for i, step in enumerate(done["steps"]))
        steps = [step for step in every if step["at"] in boxes]
        if any(step["at"] in graph["roots"] for step in steps):
            through.append((steps, done["freed"], done.get("raised"), done["starts"]))
    if which is not None and not (isinstance(which, int) and 1 <= which <= len(through)):
        raise IndexError(f"backward={which!r}, but {len(through)} backward passes went through this graph")
    last = through[(which or 0) - 1] if through else ([], [], None, [])
    graph["steps"], freed, graph["raised"], starts = last
    graph["starts"] = [start for start in starts if start in boxes]
    _add_gradients(graph)
    if which is None:
        return
    grown = {step["at"]: step["after"] for steps, *_ in through[:which] for step in steps if "after" in step}
    for box in boxes.values():
        if box["kind"] == "operation":
            box["freed"] = box["id"] in freed
        elif box["kind"] == "leaf" and box.get("keeps"):
            box["grad"] = grown.get(box["id"])


def _add_gradients(graph):
    """Add to the edges of the graph what a pass sent along them: received, times local, is the gradient."""
    taken = {step["at"]: step for step in graph["steps"]}
    for edge in graph["edges"]:
        step, slot = taken.get(edge["end"]), edge["slot"]
        if step and edge["kind"] == "recorded" and slot < len(step["passed"]):
            edge["grad"] = step["passed"][slot]
            if edge["grad"] is not None:
                edge["received"] = step["received"][0] if len(step["received"]) == 1 else None
                edge["local"] = dict(enumerate(step.get("local", ()))).get(slot)
