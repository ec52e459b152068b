import torch

x = torch.tensor(2.0, requires_grad=True)
y = x * 3
y.retain_grad()
(y**2).backward()
print(f"{y.grad = }")
print(f"{x.grad = }")
