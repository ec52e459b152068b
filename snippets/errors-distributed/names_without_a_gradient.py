import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.used = nn.Linear(1, 1)
        self.extra = nn.Linear(1, 1)

    def forward(self, x):
        return self.used(x)


torch.manual_seed(0)
net = Net()
net(torch.ones(1, 1)).sum().backward()
learning = [it for it in net.named_parameters() if it[1].requires_grad]
for i, (name, weight) in enumerate(learning):
    if weight.grad is None:
        print(i, name)
