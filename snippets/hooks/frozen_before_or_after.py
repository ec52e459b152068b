import torch

w = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
calls = []
w.register_hook(lambda g: calls.append(g.item()))

for freeze_first in (True, False):
    w.requires_grad_(not freeze_first)
    y = 3 * w + b
    w.requires_grad_(False)
    calls.clear()
    y.backward()
    print(f"{freeze_first = }, {calls = }")
