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

from weaver.graph.worker import torch_private as private
from weaver.graph.worker.torch_private import TorchDispatchMode, tensors
from weaver.graph.worker.values import local_derivatives, members, number, ratio, text

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
        self.doors = private.Doors()
        self.awake = True
        self.forwards = []  # custom forwards that run: of each, whether recording was on around it
        self.packed = False  # a saved-tensor hook was set: unpacking would run the program's code

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Not by loading torch's compiler, which takes a second."""
        return False

    def __enter__(self):
        self.doors.open(self._run_backward, self._apply)
        return super().__enter__()

    def __exit__(self, *error):
        self.doors.close()
        return super().__exit__(*error)

    @contextmanager
    def asleep(self):
        """Note nothing meanwhile: what runs is our own."""
        awake, self.awake = self.awake, False
        try:
            with torch.no_grad():
                yield
        finally:
            self.awake = awake

    # What goes forward

    def _apply(self, function, *args, **kwargs):
        """Take the place of `Function.apply`, which switches recording off for `forward`."""
        self.forwards.append(torch.is_grad_enabled())
        try:
            return self.doors.forward(function, *args, **kwargs)
        finally:
            self.forwards.pop()

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        if not self.awake:
            return operation(*args, **(kwargs or {}))
        with self.asleep():
            self.catch_up()
            self.packed |= private.has_saved_tensor_hooks()
            inputs = [self.place(tensor) for tensor in tensors((args, kwargs))]
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
        with self.asleep():
            outputs = [(weakref.ref(tensor), self._describe(tensor)) for tensor in tensors(result)]
        self.fresh.append((made, outputs))
        return result

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
            if isinstance(value, torch.Tensor):
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
        return {"value": text(tensor), "shape": list(tensor.shape), "dtype": str(tensor.dtype)[6:]}

    def place(self, tensor, facts=None):
        """Return the tensor's place; note its value if none is known for it."""
        number = self._number(tensor)
        try:
            node = tensor.grad_fn
        except RuntimeError:  # a view that an in-place operation has made unusable
            node = None
        if node is not None:
            place = f"{self._walk(node)}.{tensor.output_nr}"
        else:
            version = private.version(tensor) or 0
            place = f"{'l' if tensor.requires_grad else 'p'}{number}.{version}"
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
            if (tensor.is_leaf or tensor.retains_grad) and tensor.grad is not None:
                self._name(tensor.grad, f"{path}.grad")

    # The graph

    def _walk(self, root):
        """Note the nodes from `root` on that are not known yet; return the name of `root`."""
        todo = [root]
        while todo:
            node = todo.pop()
            name = self._node_name(node)
            if name[0] == "l":
                continue
            known = name in self.nodes
            if not known:
                earlier = node.next_functions
                self.nodes[name] = {
                    "node": node.name().split("::")[-1],
                    "custom": private.is_custom(node),
                    "next": [f"{self._node_name(n)}.{output}" if n else None for n, output in earlier],
                    "saved": {},
                    "missing": private.saved_attributes(node),
                }
                todo += [node for node, _ in earlier if node]
            if self.nodes[name]["missing"]:
                self._note_saved(node, self.nodes[name], known)
        return self._node_name(root)

    def _node_name(self, node):
        variable = getattr(node, "variable", None)
        return f"n{private.sequence_number(node)}" if variable is None else f"l{self._number(variable)}"

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
            several = isinstance(value, (list, tuple))
            for i, one in enumerate(value if several else [value]):
                name = private.saved_name(attribute) + f"[{i}]" * several
                if isinstance(one, torch.Tensor):
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
        for name, saved in self.nodes[self._node_name(node)]["saved"].items():
            if saved["tensor"] and not self.packed:
                problem = private.unpack_again(node, name)
                freed = freed or private.is_freed(problem)
                if (version := private.version_met(problem)) is not None:
                    changed[name] = version
        return freed, changed

    def live_nodes(self, roots):
        """Return the nodes that can be reached from `roots`, by name."""
        found, todo = {}, [root for root in roots if root is not None]
        while todo:
            node = todo.pop()
            name = self._node_name(node)
            if name not in found:
                found[name] = node
                todo += [following for following, _ in node.next_functions if following is not None]
        return found

    def _run_backward(self, roots, grad_tensors, retain_graph, create_graph, *args, **kwargs):
        with self.asleep():
            self.catch_up()
            self.name_members()
            starts = [root.grad_fn if isinstance(root, torch.Tensor) else root.node for root in roots]
            for start in filter(None, starts):
                self._walk(start)
            live = self.live_nodes(starts)
        steps = []
        handles = [handle for item in live.items() for handle in self._hooks(*item, steps)]
        done = {"steps": steps, "starts": [self._node_name(start) for start in filter(None, starts)]}
        self.passes.append(done)
        awake, self.awake = self.awake, self.awake and create_graph
        try:
            return self.doors.engine(roots, grad_tensors, retain_graph, create_graph, *args, **kwargs)
        except Exception as error:
            done["raised"] = type(error).__name__
            raise
        finally:
            self.awake = awake
            for handle in handles:
                handle.remove()
            with self.asleep():
                done["freed"] = [
                    name for name, node in live.items() if name[0] == "n" and self.state(node)[0]
                ]

    def _hooks(self, name, node, steps):
        """Hang on a node what notes the step that the engine takes there; return the handles."""
        now = {}

        def before(received):
            with self.asleep():
                now.clear()
                if name[0] == "l":
                    now["before"] = text(node.variable.grad)
                    now["frozen"] = not node.variable.requires_grad
                elif not self.nodes[name]["custom"] and not self.packed:
                    now["local"] = local_derivatives(node, received)

        def after(passed, received):
            with self.asleep():
                step = {"at": name, "received": [text(grad) for grad in received], **now}
                step["passed"] = [text(grad) for grad in passed]
                if name[0] == "l":
                    step["after"] = text(node.variable.grad)
                elif self.nodes[name]["custom"]:
                    step["local"] = [ratio(grad, received) for grad in passed]
                steps.append(step)

        return [node.register_prehook(before), node.register_hook(after)]


def box_of(place: str) -> str:
    """Return the box in which a place is drawn: outputs of a node share one, versions of a leaf as well."""
    return place if place[0] == "p" else place.split(".")[0]
