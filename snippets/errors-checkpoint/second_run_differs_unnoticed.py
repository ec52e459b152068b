import torch
from torch.utils.checkpoint import checkpoint

state = {"warm": False}


def block(x):
    if state["warm"]:
        return x + 1
    state["warm"] = True
    return (x**2) ** 2


x = torch.tensor(3.0, requires_grad=True)
y = checkpoint(block, x, use_reentrant=True)
y.backward()
print(f"{y = }")
print(f"{x.grad = }")
