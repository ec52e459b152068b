import torch
from torch.func import jvp


def f(x):
    return torch.stack([x[0] * x[1], x[0] ** 2, x[1] ** 2])


x = torch.tensor([2.0, 3.0])
v = torch.tensor([1.0, 0.0])  # instead of [1.0, 0.0]: [0.0, 1.0] | [1.0, 10.0] | [-1.0, 0.0]
_, tangent = jvp(f, (x,), (v,))
print(f"{tangent = }")
