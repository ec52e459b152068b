import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.func import jvp


def f(x):
    return x.sin().exp().sqrt()


sizes = []


def pack(t):
    sizes.append(t.nbytes)
    return t


x = torch.ones(1000)
with saved_tensors_hooks(pack, lambda t: t):
    jvp(f, (x,), (torch.ones_like(x),))
    print(f"forward mode: {sum(sizes)} bytes")
    f(x.requires_grad_())
    print(f"for backward(): {sum(sizes)} bytes")
