import torch
from torch.func import grad


def f(x):
    return torch.where(x > 0, x**2, -x)


x = torch.tensor([-1.0, 2.0])
print(f"{torch.vmap(f)(x) = }\n{torch.vmap(grad(f))(x) = }")
