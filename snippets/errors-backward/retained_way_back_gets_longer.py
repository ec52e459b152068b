import torch


def way_back(node):
    later = [n for n, _ in node.next_functions if n]
    return 1 + max(map(way_back, later), default=0)


w = torch.tensor(2.0, requires_grad=True)
h = torch.tensor(1.0)
for step in range(3):
    w.grad = None
    h = w * h
    h.backward(retain_graph=True)
    print(f"{step = }, {way_back(h.grad_fn) = }, {w.grad = }")
