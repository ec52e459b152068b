import weakref

import torch


def train():
    y = torch.ones(1000, requires_grad=True).exp()
    seen.append(weakref.ref(y))
    raise RuntimeError("out of memory")


def is_kept(keep):
    try:
        train()
    except RuntimeError as error:
        log.append(keep(error))
    return seen[-1]() is not None


seen, log = [], []
print(f"{is_kept(lambda error: error) = }")
print(f"{is_kept(str) = }")
