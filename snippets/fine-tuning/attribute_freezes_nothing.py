import torch
from torch import nn

torch.manual_seed(0)
a, b, c = nn.Linear(1, 1), nn.Linear(1, 1), nn.Linear(1, 1)
a.requires_grad = False
for p in b.parameters():
    p.require_grad = False
c.requires_grad_(False)
flags = [layer.weight.requires_grad for layer in (a, b, c)]
print(f"{flags = }")
