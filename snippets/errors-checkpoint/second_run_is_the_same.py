import torch
from torch.utils.checkpoint import checkpoint

state = {"warm": False}


def block(x, warm):
    if warm:
        return x + 1
    return (x**2) ** 2


x = torch.tensor(3.0, requires_grad=True)
y = checkpoint(block, x, state["warm"], use_reentrant=False)
state["warm"] = True
y.backward()
print(f"{y = }")
print(f"{x.grad = }")
