import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
x.register_hook(lambda g: means.append(g.mean().item()))
means = []
(x * x).sum().backward()
print(f"{means = }, {x.grad = }")

y = torch.tensor([1.0, 2.0], requires_grad=True)
y.register_hook(lambda g: g / g.norm())
(y * y).sum().backward()
print(f"{y.grad = }")
