import gc
import weakref

import torch


def is_kept(attach, remove=False):
    y = 2 * torch.ones(1000, requires_grad=True)
    handle = attach(y)
    y.sum().backward()
    if remove:
        handle.remove()
    seen = weakref.ref(y)
    del y
    gc.collect()
    return seen() is not None


def uses_g(y):
    return y.register_hook(lambda g: sizes.append(len(g)))


def uses_y(y):
    return y.register_hook(lambda g: sizes.append(len(y)))


sizes = []
print(f"{is_kept(uses_g) = }")
print(f"{is_kept(uses_y) = }")
print(f"{is_kept(uses_y, remove=True) = }")
