import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**2
(first,) = torch.autograd.grad(y, x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
print(f"{first = }")
print(f"{second = }")
print(f"{x.grad = }")
