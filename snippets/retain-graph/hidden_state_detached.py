import torch

w = torch.tensor(1.0, requires_grad=True)
h = torch.tensor(0.0)
for step in range(3):
    h = w * h.detach() + 1
    h.backward()
    print(f"{step = }, {w.grad = }")
