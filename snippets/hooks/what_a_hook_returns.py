import torch

a = torch.ones(2, requires_grad=True)
b = torch.ones(2, requires_grad=True)
a.register_hook(lambda g: g * 100)  # instead of g * 100:
# | g.mul_(100)
# | print(g)
# | g.mean() raises RuntimeError
(torch.tensor([1.0, 2.0]) * (a + b)).sum().backward()
print(f"{a.grad = }")
print(f"{b.grad = }")
