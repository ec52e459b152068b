import torch

w = torch.tensor(2.0, requires_grad=True)
h = torch.tensor(1.0)
for step in range(3):
    w.grad = None
    h = w * h.detach()
    h.backward()
    print(f"{step = }, {h.item() = }, {w.grad = }")
