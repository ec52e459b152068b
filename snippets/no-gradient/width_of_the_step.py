import torch

x = torch.tensor(2.0)  # or: torch.tensor(2.5)
t = torch.tensor(2.5, requires_grad=True)
width = 0.25  # values: 0.05, 0.1, 0.25, 0.5, 1.0
y = torch.sigmoid((x - t) / width)
y.backward()
print(f"{y.item() = :.3f}")
print(f"{t.grad.item() = :.3g}")
