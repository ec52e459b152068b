import torch


def gradients(w, length=16):
    h = torch.ones((), requires_grad=True)
    states = []
    for step in range(length):
        h = w * h
        h.retain_grad()
        states.append(h)
    h.backward()
    return [h.grad.item() for h in reversed(states)]


rows = {w: gradients(w) for w in (0.5, 1.0, 1.5)}
print(f"{rows[0.5][:3] = }")
print(f"{rows[1.5][:3] = }")
