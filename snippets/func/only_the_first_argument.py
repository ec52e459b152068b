import torch
from torch.func import grad


def f(a, b):
    return a * b**2


a, b = torch.tensor(2.0), torch.tensor(3.0)
print(f"{grad(f)(a, b) = }")
print(f"{grad(f, argnums=(0, 1))(a, b) = }")
