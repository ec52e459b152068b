import torch


def f(x):
    return x**2


x = torch.tensor([1.0, 2.0, 3.0])
print(f"{torch.vmap(f)(x).sum() = }")
