import torch
from torch.func import hessian


def f(x):
    return x[0] ** 2 * x[1]


x = torch.tensor([2.0, 3.0], requires_grad=True)
(g,) = torch.autograd.grad(f(x), x, create_graph=True)
for i in range(2):
    (row,) = torch.autograd.grad(g[i], x, retain_graph=True)
    print(f"{i = }, {row = }")
print(f"{hessian(f)(x.detach()) = }")
