import copy

import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(2, 1, bias=False)
with torch.no_grad():
    layer.weight.fill_(2.0)
layer(torch.ones(2)).backward()

d = copy.deepcopy(layer)
print(f"{layer.weight.grad = }")
print(f"{d.weight.grad = }")
print(f"{d.weight.requires_grad = }")
