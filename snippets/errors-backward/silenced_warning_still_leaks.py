import gc
import warnings
import weakref

import torch


def is_freed(reset):
    x = torch.tensor(3.0, requires_grad=True)
    with warnings.catch_warnings(action="ignore"):
        (x**2).backward(create_graph=True)
    if reset:
        x.grad = None
    x = weakref.ref(x)
    gc.collect()
    return x() is None


print(f"{is_freed(reset=False) = }")
print(f"{is_freed(reset=True) = }")
