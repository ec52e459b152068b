import torch

x = torch.tensor(1.0, requires_grad=True)  # values: 1.0, 4.0, 5.0, 50.0, 88.0, 89.0, 100.0
y = torch.where(x < 5, x.exp(), x)  # or:
# | torch.where(x < 5, x.clamp(max=5).exp(), x)
# | (x < 5) * x.exp() + (x >= 5) * x
y.backward()
print(f"{y.item() = :.4g}")
print(f"{x.grad.item() = :.4g}")
