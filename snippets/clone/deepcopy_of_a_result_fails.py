# raises: RuntimeError
import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor(2.0))

    def forward(self, x):
        self.h = self.w * x
        return self.h


net = Net()
twin = copy.deepcopy(net)
print(f"{twin.w is net.w = }")
net(torch.tensor(3.0))
copy.deepcopy(net)
