import torch
from torch.func import grad


def f(x):
    return x**3


x = torch.tensor(3.0)
print(f"{grad(f)(x) = }")
print(f"{grad(grad(f))(x) = }")
print(f"{x.requires_grad = }, {x.grad = }")
