import weakref

import torch


def train(rows):
    y = torch.ones(rows, 1000, requires_grad=True).exp()
    seen.append(weakref.ref(y))
    if rows > 1:
        raise RuntimeError("out of memory")


seen = []
try:
    train(64)
except RuntimeError:
    inside = seen[0]() is not None
    train(1)
outside = seen[0]() is not None
print(f"{inside = }, {outside = }")
