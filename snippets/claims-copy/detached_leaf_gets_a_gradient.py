import torch

x = torch.tensor(2.0, requires_grad=True)
d = (x**2).detach()
d.requires_grad_()
(d * 5).backward()
print(f"{d.grad = }")
print(f"{x.grad = }")
holds = d.grad is None
print(f"{holds = }")
