import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**3
(g,) = torch.autograd.grad(y, x, create_graph=True)
(second,) = torch.autograd.grad(g, x)
print(f"{g = }\n{second = }")
