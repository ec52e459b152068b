import torch
from torch.utils.checkpoint import checkpoint

x = torch.tensor(3.0, requires_grad=True)
z = checkpoint(lambda t: torch.exp(t * 2), x, use_reentrant=False)
z.backward()
