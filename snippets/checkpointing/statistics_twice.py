import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

x = torch.tensor([[1.0], [3.0]], requires_grad=True)
plain, twice = nn.BatchNorm1d(1), nn.BatchNorm1d(1)
half = nn.BatchNorm1d(1, momentum=1 - (1 - 0.1) ** 0.5)
plain(x).sum().backward()
checkpoint(twice, x, use_reentrant=False).sum().backward()
checkpoint(half, x, use_reentrant=False).sum().backward()
means = [norm.running_mean.item() for norm in (plain, twice, half)]
print([round(mean, 4) for mean in means])
print(f"{twice.num_batches_tracked = }")
