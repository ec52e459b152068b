import warnings

import torch
from torch.utils.checkpoint import checkpoint


def learns(use_reentrant):
    embedding = torch.nn.Embedding(4, 2).requires_grad_(False)
    adapter, head = torch.nn.Linear(2, 2), torch.nn.Linear(2, 1)
    h = embedding(torch.tensor([0, 1]))
    h = checkpoint(adapter, h, use_reentrant=use_reentrant)
    head(h).sum().backward()
    layers = {"adapter": adapter, "head": head}
    return [k for k, v in layers.items() if v.bias.grad is not None]


torch.manual_seed(0)
warnings.simplefilter("ignore")
print(f"{learns(use_reentrant=True) = }")
print(f"{learns(use_reentrant=False) = }")
