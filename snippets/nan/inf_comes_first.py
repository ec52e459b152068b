import torch


def watch(root):
    def report(name):
        def hook(inputs, outputs):
            ok = [g is None or g.isfinite().all() for g in inputs]
            if not all(ok):
                print(name, *inputs)

        return hook

    nodes, seen = [root.grad_fn], set()
    while nodes:
        node = nodes.pop()
        if node not in seen:
            seen.add(node)
            node.register_hook(report(node.name()))
            nodes += [n for n, _ in node.next_functions if n]


x = torch.tensor([0.0, 4.0], requires_grad=True)
loss = (x**2).sqrt().sum()
watch(loss)
loss.backward()
