import weakref

import torch
from torch.autograd.graph import saved_tensors_hooks


class Saved:
    def __init__(self, tensor):
        self.tensor = tensor
        alive.add(self)


def kept():
    return sum(saved.tensor.nbytes for saved in alive)


alive = weakref.WeakSet()
x = torch.ones(100, requires_grad=True)
with saved_tensors_hooks(Saved, lambda saved: saved.tensor):
    y = (2 * x).square()
    before = kept()
    with torch.no_grad():
        inside = kept()
        z = (2 * x).square()
    after = kept()
print(f"{before = } {inside = } {after = }")
holds = [inside < before, after < before]
print(f"{holds = }")
