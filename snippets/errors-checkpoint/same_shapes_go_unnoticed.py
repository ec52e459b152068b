import torch
from torch.utils.checkpoint import checkpoint

state = {"factor": 2.0}


def block(x):
    return (state["factor"] * x) ** 2


x = torch.tensor(3.0, requires_grad=True)
y = checkpoint(block, x, use_reentrant=False)
state["factor"] = 5.0
y.backward()
print(f"{y = }")
print(f"{x.grad = }")
