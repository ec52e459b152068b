import warnings

import torch
from torch.utils.checkpoint import checkpoint

w = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(3.0, requires_grad=True)


def block(inputs):
    return w * inputs[0]


with warnings.catch_warnings(action="ignore"):
    old = checkpoint(block, [x], use_reentrant=True)
new = checkpoint(block, [x], use_reentrant=False)
print(f"{old.requires_grad = }")
print(f"{new.requires_grad = }")
