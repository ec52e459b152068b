import torch


def count_nodes(node, seen):
    if node is not None and node not in seen:
        seen.add(node)
        for following, _ in node.next_functions:
            count_nodes(following, seen)
    return len(seen)


def train(retain):
    w = torch.tensor(1.0, requires_grad=True)
    h = torch.tensor(0.0)
    nodes = []
    for _ in range(5):
        h = w * (h if retain else h.detach()) + 1
        nodes.append(count_nodes(h.grad_fn, set()))
        h.backward(retain_graph=retain)
    return nodes, w.grad


print(f"{train(retain=True) = }")
print(f"{train(retain=False) = }")
