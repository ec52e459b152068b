import torch

x = torch.tensor(2.5, requires_grad=True)  # values: 1.0, 2.0, 2.5, 3.0, 3.5, 4.0
y = x.clamp(2, 3)  # or:
# | torch.maximum(x, torch.tensor(3.0))
# | torch.where(x > 3, 2 * x, x)
# | x.round()
y.backward()
print(f"{y.item() = }")
print(f"{x.grad.item() = }")
