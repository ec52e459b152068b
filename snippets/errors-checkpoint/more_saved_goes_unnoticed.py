import torch
from torch.utils.checkpoint import checkpoint

runs = []


def block(x):
    runs.append(x)
    return x**2 if len(runs) == 1 else x.exp().sin()


x = torch.tensor(3.0, requires_grad=True)
checkpoint(block, x, use_reentrant=False).backward()
print(f"{x.grad = }, not {2 * x.item()}")
