import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

x = torch.tensor([[1.0], [3.0]], requires_grad=True)
plain, again = nn.BatchNorm1d(1), nn.BatchNorm1d(1)
plain(x).sum().backward()
checkpoint(again, x, use_reentrant=False).sum().backward()
print(f"{plain.num_batches_tracked = }")
print(f"{again.num_batches_tracked = }")
