import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
optimizer = torch.optim.Adam(model.parameters())
model(torch.ones(1, 2)).sum().backward()
optimizer.step()
names = {name: p for name, p in model.named_parameters()}
saved = {name: optimizer.state[p] for name, p in names.items()}

model[1] = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
optimizer = torch.optim.Adam(model.parameters())
for name, p in model.named_parameters():
    if name in saved:
        optimizer.state[p] = saved[name]
    print(name, p in optimizer.state)
