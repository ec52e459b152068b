# raises: RuntimeError
import torch
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
embedding = torch.nn.Embedding(4, 2).requires_grad_(False)
adapter = torch.nn.Linear(2, 2)
h = embedding(torch.tensor([0, 1]))
y = checkpoint(adapter, h, use_reentrant=True)
y.sum().backward()
