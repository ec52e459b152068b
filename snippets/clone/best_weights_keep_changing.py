import copy

import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(1, 1, bias=False)
with torch.no_grad():
    layer.weight.fill_(2.0)
best = layer.state_dict()
kept = copy.deepcopy(layer.state_dict())

with torch.no_grad():
    layer.weight.add_(7.0)
print(f"{best['weight'] = }")
print(f"{kept['weight'] = }")
