import torch
from torch.func import jvp


def f(x):
    return x**2


x = torch.tensor(3.0, requires_grad=True)
with torch.no_grad():
    y = f(x)
    reverse = y.requires_grad
    _, forward = jvp(f, (x.detach(),), (torch.tensor(1.0),))
    by_transform = torch.func.grad(f)(x.detach())
print(f"{reverse = }\n{forward = }\n{by_transform = }")
holds = [not reverse, not forward, not by_transform]
print(f"{holds = }")
