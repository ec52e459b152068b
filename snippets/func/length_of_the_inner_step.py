import torch
from torch.func import grad

lr = 0.1  # values: 0.0, 0.1, 0.25, 0.5, 0.75


def adapted(w):
    slope = grad(lambda w: w**2)(w)  # or: grad(lambda w: w**2)(w).detach()
    return w - lr * slope


def outer(w):
    return (adapted(w) - 3) ** 2


w = torch.tensor(5.0)
by_w = grad(outer)(w)
print(f"{adapted(w) = }")
print(f"{by_w = }")
