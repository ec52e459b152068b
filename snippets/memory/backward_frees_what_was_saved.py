import weakref

import torch
from torch.autograd.graph import saved_tensors_hooks


class Box:
    def __init__(self, tensor):
        self.t = tensor.detach()
        alive.add(self)


def kept():
    return sum({b.t.data_ptr(): b.t.nbytes for b in alive}.values())


def bytes_left(**options):
    x = torch.ones(100, requires_grad=True)
    with saved_tensors_hooks(Box, lambda box: box.t):
        loss = torch.cos(3 * torch.exp(2 * x)).sum()
        grad = torch.autograd.grad(loss, x, **options)
    with_loss = kept()
    del loss
    return with_loss, kept()


alive = weakref.WeakSet()
print(f"{bytes_left() = }")
print(f"{bytes_left(retain_graph=True) = }")
print(f"{bytes_left(create_graph=True) = }")
