import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
head = set(model[1].parameters())
rest = [p for p in model.parameters() if p not in head]
groups = [
    {"params": rest, "lr": 0.01},
    {"params": list(model[1].parameters()), "lr": 0.1},
]
optimizer = torch.optim.SGD(groups)
print([len(group["params"]) for group in optimizer.param_groups])
