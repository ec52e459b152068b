import torch


def nodes(tensor):
    found, waiting = set(), [tensor.grad_fn]
    while waiting:
        node = waiting.pop()
        if node and node not in found:
            found.add(node)
            waiting += [before for before, _ in node.next_functions]
    return len(found)


w = torch.tensor(1.0, requires_grad=True)
recorded = detached = torch.tensor(0.0)
counts = []
for step in range(4):
    loss = (w - step) ** 2
    loss.backward()
    recorded = recorded + loss
    detached = detached + loss.detach()
    counts.append((nodes(recorded), nodes(detached)))
print(f"{counts = }")
