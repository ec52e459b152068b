import torch
from torch.func import jacrev
from torch.utils.flop_counter import FlopCounterMode

A = torch.arange(64.0).view(8, 8) / 64
x = torch.ones(8, 1)


def f(x):
    return torch.sin(A @ x)


with FlopCounterMode(display=False) as by_jacrev:
    J = jacrev(f)(x).view(8, 8)
with FlopCounterMode(display=False) as by_hand:
    formula = torch.cos(A @ x) * A
print(f"{torch.allclose(J, formula) = }")
print(f"{by_jacrev.get_total_flops() = }")
print(f"{by_hand.get_total_flops() = }")
