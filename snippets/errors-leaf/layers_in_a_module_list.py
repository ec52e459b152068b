import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1)])


torch.manual_seed(0)
net = Net()
print([name for name, _ in net.named_parameters()])
optimizer = torch.optim.SGD(net.parameters(), lr=0.25)
