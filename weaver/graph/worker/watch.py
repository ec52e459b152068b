"""What a program does with tensors, noted while it runs: operations, names, backward passes.

Works in the child, in a run of its own beside the one that is published. All notes are plain data,
made at once: no tensor and no node lives longer because it was noted.

A place is where a value stands in the graph: `n7.0` is output 0 of the node with the sequence number
7, `l2.0` the leaf tensor 2 at version 0, `p3.1` a tensor without history, 3, at version 1.
"""

import re
import weakref
from contextlib import contextmanager
from itertools import count

import torch

from weaver.graph.worker import tensors as t
from weaver.graph.worker import torch_private as private
from weaver.graph.worker.objects import error_line
from weaver.graph.worker.passes import Pass
from weaver.graph.worker.torch_private import TorchDispatchMode, tensors
from weaver.graph.worker.values import members, number, text

SHAPE_ONLY = re.compile(r"\w+_like\b|new_\w+")  # operations that read no value of their inputs


class Watch(TorchDispatchMode):
    """Notes everything that the program with the variables `namespace` does with tensors.

    Below autograd it sees each operation as ATen runs it, so also those that record nothing; at the
    engine's door it hangs a hook on each node, so it sees what goes in and out, in the real order.
    """

    def __init__(self, namespace: dict):
        super().__init__()
        self.namespace = namespace
        self.count = count()
        self.numbers = {}  # id(tensor) -> (weak reference, its number)
        self.facts = {}  # place -> value, shape, dtype; in the order of the run
        self.names = {}  # place -> names, the last one given last
        self.made = {}  # place -> the operation that made the value
        self.fed = set()  # places without history that were computed from something with one
        self.nodes = {}  # `n7` -> what does not change about the node
        self.passes = []  # backward passes
        self.fresh = []  # operations whose outputs autograd has not finished yet
        self.engine, self.forward = private.EngineDoor(), private.ForwardDoor()
        self.awake = True
        self.broken = None  # the error of ours that ended it
        self.forwards = []  # custom forwards that run: of each, whether recording was on around it
        self.packed = False  # a saved-tensor hook was set: unpacking would run the program's code

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Not by loading torch's compiler, which takes a second."""
        return False

    def __enter__(self):
        self.engine.open(self._run_backward)
        self.forward.open(self._apply)
        return super().__enter__()

    def __exit__(self, *error):
        self.forward.close()
        self.engine.close()
        return super().__exit__(*error)

    @contextmanager
    def asleep(self):
        """Note nothing meanwhile: what runs is our own."""
        awake, self.awake = self.awake, False
        try:
            with torch.no_grad(), private.no_torch_function():
                yield
        finally:
            self.awake = awake and not self.broken

    def noting(self, work, *arguments, instead=None):
        """Return what work of ours returns; the program hears nothing of an error in it."""
        with self.asleep():
            try:
                return work(*arguments)
            except Exception as error:
                self.broken = self.broken or error_line(error)
                return instead

    # What goes forward

    def _apply(self, function, *args, **kwargs):
        """Take the place of `Function.apply`, which switches recording off for `forward`."""
        self.forwards.append(torch.is_grad_enabled())
        try:
            return self.forward.forward(function, *args, **kwargs)
        finally:
            self.forwards.pop()

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        if not self.awake:
            return operation(*args, **(kwargs or {}))
        inputs = self.noting(self._inputs, args, kwargs, instead=[])
        mode = "inference_mode" if torch.is_inference_mode_enabled() else "no_grad"
        if operation.name().startswith("aten::detach"):
            mode = "detach"
        elif torch.is_grad_enabled():
            mode = "operation"
        elif self.forwards and self.forwards[-1]:
            mode = "forward"
        result = operation(*args, **(kwargs or {}))
        name = operation.name().removeprefix("aten::")
        if SHAPE_ONLY.match(name):
            inputs = []
        made = {"operation": name, "inputs": inputs, "why": mode}
        self.fresh.append((made, self.noting(self._outputs, result, instead=[])))
        return result

    def _inputs(self, args, kwargs):
        self.catch_up()
        self.packed |= private.has_saved_tensor_hooks()
        return [self.place(tensor) for tensor in tensors((args, kwargs))]

    def _outputs(self, result):
        return [(weakref.ref(tensor), self._describe(tensor)) for tensor in tensors(result)]

    def catch_up(self):
        """Note what the last operations gave, now that autograd has tied it in, and new names."""
        fresh, self.fresh = self.fresh, []
        for made, outputs in fresh:
            for reference, facts in outputs:
                tensor = reference()
                if tensor is None:
                    continue
                place = self.place(tensor, facts)
                if box_of(place) not in map(box_of, made["inputs"]):  # else it was written in place
                    self.made[place] = made
                    if place[0] == "p" and self.has_history(made):
                        self.fed.add(place)
        for name, value in list(self.namespace.items()):
            if t.is_tensor(value):
                self._name(value, name)

    def has_history(self, made):
        """Tell whether an operation took, at whatever remove, something that requires grad."""
        return any(place[0] != "p" or place in self.fed for place in made["inputs"])

    def _number(self, tensor):
        reference, number = self.numbers.get(id(tensor), (None, None))
        if reference is None or reference() is not tensor:
            number = next(self.count)
            self.numbers[id(tensor)] = weakref.ref(tensor), number
        return number

    def _describe(self, tensor):
        return {"value": text(tensor), "shape": list(t.shape(tensor)), "dtype": str(t.dtype(tensor))[6:]}

    def place(self, tensor, facts=None):
        """Return the tensor's place; note its value if none is known for it."""
        number = self._number(tensor)
        try:
            node = t.grad_fn(tensor)
        except RuntimeError:  # a view that an in-place operation has made unusable
            node = None
        if node is not None:
            place = f"{self.walk(node)}.{t.output_number(tensor)}"
        else:
            version = private.version(tensor) or 0
            place = f"{'l' if t.requires_grad(tensor) else 'p'}{number}.{version}"
        if place not in self.facts:
            self.facts[place] = facts or self._describe(tensor)
        return place

    def _name(self, tensor, name):
        if name.startswith("__"):
            return
        names = self.names.setdefault(self.place(tensor), [])
        if name not in names:
            names.append(name)

    def name_members(self):
        """Note the names of tensors inside the program's modules, lists and dictionaries, and of `.grad`."""
        for path, tensor in members(self.namespace):
            if not self.names.get(self.place(tensor)):
                self._name(tensor, path)
            kept = t.is_leaf(tensor) or t.retains_grad(tensor)
            if kept and t.grad(tensor) is not None:
                self._name(t.grad(tensor), f"{path}.grad")

    # The graph

    def walk(self, root):
        """Note the nodes from `root` on that are not known yet; return the name of `root`."""
        todo = [root]
        while todo:
            node = todo.pop()
            name = self.node_name(node)
            if name[0] == "l":
                continue
            known = name in self.nodes
            if not known:
                earlier = t.inputs(node)
                self.nodes[name] = {
                    "node": t.node_name(node),
                    "custom": t.is_custom(node),
                    "next": [f"{self.node_name(n)}.{output}" if n else None for n, output in earlier],
                    "saved": {},
                    "missing": private.saved_attributes(node),
                }
                todo += [node for node, _ in earlier if node]
            if self.nodes[name]["missing"]:
                self._note_saved(node, self.nodes[name], known)
        return self.node_name(root)

    def node_name(self, node):
        if t.is_leaf_node(node):
            return f"l{self._number(node.variable)}"
        return f"n{private.sequence_number(node)}"

    def _note_saved(self, node, facts, known):
        """Note what the node saved: value and, for a tensor, its version.

        An output is tied in last of all, so what is `missing` now may be there at the next look, but not
        in a custom Function, nor, in a node `known` before, what can't be had because it is freed now.
        """
        missing = []
        for attribute in facts["missing"]:
            value, problem = (None, "packed") if self.packed else private.unpack(node, attribute)
            if private.saved_nothing(node) or (known and (facts["custom"] or private.is_freed(problem))):
                missing.append(attribute)
                continue
            if (value is None or (isinstance(value, tuple) and not value)) and not problem:
                missing.append(attribute)
            several = type(value) in (list, tuple)
            for i, one in enumerate(value if several else [value]):
                name = private.saved_name(attribute) + f"[{i}]" * several
                if t.is_tensor(one):
                    version = private.version(one)
                    facts["saved"][name] = {"value": text(one), "tensor": True, "version": version}
                elif problem and private.holds_a_tensor(node, attribute):
                    facts["saved"][name] = {"value": None, "tensor": True, "version": None}
                elif isinstance(one, (int, float)) and not isinstance(one, bool):
                    one = one - 2**64 if one >= 2**63 else one  # a dimension counted from the end
                    facts["saved"][name] = {"value": number(one), "tensor": False, "version": None}
        facts["missing"] = missing

    def state(self, node):
        """Return whether the node's saved tensors are freed, and the versions of those that were changed."""
        freed, changed = False, {}
        for name, saved in self.nodes[self.node_name(node)]["saved"].items():
            if saved["tensor"] and not self.packed:
                problem = private.unpack_again(node, name)
                freed = freed or private.is_freed(problem)
                if found := private.versions(problem):
                    changed[name] = found[1]
        return freed, changed

    def live_nodes(self, roots):
        """Return the nodes that can be reached from `roots`, by name."""
        found, todo = {}, [root for root in roots if root is not None]
        while todo:
            node = todo.pop()
            name = self.node_name(node)
            if name not in found:
                found[name] = node
                todo += [following for following, _ in t.inputs(node) if following is not None]
        return found

    def _run_backward(self, roots, grad_tensors, retain_graph, create_graph, *args, **kwargs):
        run = Pass(self)
        self.noting(run.begin, roots)
        awake, self.awake = self.awake, self.awake and create_graph
        try:
            return self.engine.engine(roots, grad_tensors, retain_graph, create_graph, *args, **kwargs)
        except Exception as error:
            run.done["raised"] = type(error).__name__
            raise
        finally:
            self.awake = awake
            self.noting(run.end)


def box_of(place: str) -> str:
    """Return the box in which a place is drawn: outputs of a node share one, versions of a leaf as well."""
    return place if place[0] == "p" else place.split(".")[0]
