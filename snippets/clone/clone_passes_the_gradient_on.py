import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
(x * 3).sum().backward()

c = x.clone()
c.retain_grad()
print(f"{c.grad = }")
(c * 5).sum().backward()
print(f"{c.grad = }")
print(f"{x.grad = }")
