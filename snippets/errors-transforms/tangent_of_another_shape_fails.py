# raises: RuntimeError
import torch
from torch.func import jvp


def f(x):
    return x.sum(dim=1)


x = torch.ones(2, 3)
jvp(f, (x,), (torch.ones(2),))
