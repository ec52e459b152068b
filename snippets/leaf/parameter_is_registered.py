import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.tensor(1.0)
        self.b = torch.tensor(1.0, requires_grad=True)
        self.c = nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        return (self.a + self.b + self.c) * x


net = Net()
net(2.0).backward()
optimizer = torch.optim.SGD(net.parameters(), lr=0.25)
optimizer.step()
values = [net.a.item(), net.b.item(), net.c.item()]
print(f"{values = }")
names = [name for name, _ in net.named_parameters()]
print(f"{names = }")
