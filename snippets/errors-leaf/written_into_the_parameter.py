import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(1, 1, bias=False)
optimizer = torch.optim.SGD(net.parameters(), lr=0.25)
with torch.no_grad():
    net.weight.fill_(4.0)
    net.weight *= 0.5
net(torch.ones(1)).backward()
optimizer.step()
print(f"{net.weight.item() = }")
