import torch

x = torch.tensor(1.25, requires_grad=True)
y = x + (4 * x).round() + (4 * x).long()
y.backward()
print(f"{y.item() = }")
print(f"{x.grad.item() = }")
