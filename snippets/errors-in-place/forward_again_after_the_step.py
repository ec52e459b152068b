import torch
from torch import nn

torch.manual_seed(0)
g = nn.Linear(1, 1)
d = nn.Linear(1, 1)
nn.init.constant_(g.weight, 3.0)
nn.init.constant_(g.bias, 0.0)
nn.init.constant_(d.weight, 2.0)
optimizer = torch.optim.SGD(d.parameters(), lr=0.5)

fake = g(torch.ones(1, 1))
d(fake.detach()).backward()
optimizer.step()
print(f"{d.weight = }")

(-d(fake)).backward()
print(f"{g.weight.grad = }")
