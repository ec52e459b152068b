import torch
from torch.func import jvp


def f(x):
    return x.sum(dim=1)


x = torch.ones(2, 3)
_, tangent = jvp(f, (x,), (torch.ones_like(x),))
print(f"{tangent = }")
