import torch
from torch.func import grad


def inner(w):
    return w**2


def outer(w):
    return (w - 3) ** 2


def adapted(w):
    return w - 0.1 * grad(inner)(w)


def first_order(w):
    return w - 0.1 * grad(inner)(w).detach()


w = torch.tensor(5.0)
exact = grad(lambda w: outer(adapted(w)))(w)
rough = grad(lambda w: outer(first_order(w)))(w)
print(f"{adapted(w) = }\n{exact = }\n{rough = }")
