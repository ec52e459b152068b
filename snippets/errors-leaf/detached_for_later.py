import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(3.0))

    def forward(self, x):
        h = self.weight * x
        self.last = h.detach()
        return h


net = Net()
net(2.0)
target = copy.deepcopy(net)
print(f"{target.last = }")
print(f"{target.weight is net.weight = }")
