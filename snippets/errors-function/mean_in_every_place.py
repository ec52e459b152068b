import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
x.register_hook(lambda g: g.mean().expand_as(g))
(x * x).sum().backward()
print(f"{x.grad = }, not {2 * x.detach()}")
