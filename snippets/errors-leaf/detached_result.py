import torch

x = torch.tensor(3.0, requires_grad=True)
y = x * 2
c = y.detach()
print(f"{c.requires_grad = }")
(c * x).backward()
print(f"{x.grad = }")
