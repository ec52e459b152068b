import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x[0] ** 2 * x[1]
(g,) = torch.autograd.grad(y, x, create_graph=True)
(second,) = torch.autograd.grad(g.sum(), x)
print(f"{g = }\n{second = }")
