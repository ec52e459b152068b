import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(1, 1, bias=False)]
        self.last = nn.Linear(1, 1, bias=False)

    def forward(self, x):
        return self.last(self.layers[0](x))


torch.manual_seed(0)
net = Net()
hidden = net.layers[0].weight
nn.init.constant_(hidden, 1.0)
nn.init.constant_(net.last.weight, 3.0)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for _ in range(2):
    optimizer.zero_grad()
    net(torch.ones(1, 1)).sum().backward()
    optimizer.step()
print([name for name, _ in net.named_parameters()])
print(f"{hidden.item() = }")
print(f"{hidden.grad = }")
