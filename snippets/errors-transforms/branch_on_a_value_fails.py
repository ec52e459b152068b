# raises: RuntimeError
import torch


def f(x):
    if x > 0:
        return x**2
    return -x


x = torch.tensor([-1.0, 2.0])
torch.vmap(f)(x)
