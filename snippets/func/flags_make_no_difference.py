import torch
from torch.func import grad


def f(x):
    return x**2


def masked(x):
    with torch.no_grad():
        factor = x * 1
    return factor * x


x = torch.tensor(3.0)
with torch.no_grad():
    outside = grad(f)(x)
inside = grad(masked)(x)
print(f"{outside = }\n{inside = }")
