"""One backward pass, noted node by node in the order in which the engine takes them."""

from functools import partial

from weaver.graph.worker import tensors as t
from weaver.graph.worker import torch_private as private
from weaver.graph.worker.values import local_derivatives, ratio, text


class Pass:
    """A pass that `watch` notes; `done` has its steps, the nodes that it starts at and those it freed."""

    def __init__(self, watch):
        self.watch = watch
        self.done = {"steps": [], "starts": [], "freed": []}
        self.live, self.handles = {}, []

    def begin(self, roots) -> None:
        """Hang on every node that can be reached."""
        watch = self.watch
        watch.passes.append(self.done)
        watch.catch_up()
        watch.name_members()
        starts = [t.grad_fn(root) if t.is_tensor(root) else root.node for root in roots]
        starts = [start for start in starts if start is not None]
        for start in starts:
            watch.walk(start)
        self.live = watch.live_nodes(starts)
        for item in self.live.items():
            self.handles += self._hooks(*item)
        self.done["starts"] = list(map(watch.node_name, starts))

    def end(self) -> None:
        """Let go of the nodes, and note what they let go of."""
        for handle in self.handles:
            handle.remove()
        nodes = [(name, node) for name, node in self.live.items() if name[0] == "n"]
        self.done["freed"] = [name for name, node in nodes if self.watch.state(node)[0]]

    def _hooks(self, name, node):
        """Hang on a node what notes the step that the engine takes there; return the handles."""
        now = {}

        def before(received):
            now.clear()
            if name[0] == "l":
                now["before"] = text(t.grad(node.variable))
                now["frozen"] = not t.requires_grad(node.variable)
            elif not self.watch.nodes[name]["custom"] and not self.watch.packed:
                now["local"] = local_derivatives(node, received)

        def after(passed, received):
            step = {"at": name, "received": [text(grad) for grad in received], **now}
            step["passed"] = [text(grad) for grad in passed]
            if name[0] == "l":
                step["after"] = text(t.grad(node.variable))
            elif self.watch.nodes[name]["custom"]:
                step["local"] = [ratio(grad, received) for grad in passed]
            self.done["steps"].append(step)

        return private.watch_node(node, partial(self.watch.noting, before), partial(self.watch.noting, after))
