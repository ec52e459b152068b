# raises: ValueError
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
groups = [
    {"params": model.parameters(), "lr": 0.01},
    {"params": model[1].parameters(), "lr": 0.1},
]
torch.optim.SGD(groups)
