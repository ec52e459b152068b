# raises: RuntimeError
import torch


def f(x):
    out = torch.zeros(2)
    out[0] = x.sum()
    return out


x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
torch.vmap(f)(x)
