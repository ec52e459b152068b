import warnings

import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
warnings.simplefilter("ignore")
embedding = torch.nn.Embedding(4, 2).requires_grad_(False)
adapter, head = torch.nn.Linear(2, 2), torch.nn.Linear(2, 1)
h = embedding(torch.tensor([0, 1]))
h = checkpoint(adapter, h, use_reentrant=True)
head(h).sum().backward()
print(f"{head.bias.grad = }")
print(f"{adapter.bias.grad = }")
