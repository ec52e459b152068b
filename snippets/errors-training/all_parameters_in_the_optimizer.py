import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
saved = torch.optim.Adam(model.parameters()).state_dict()
model[0].requires_grad_(False)
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(saved)
before = [p.detach().clone() for p in model.parameters()]
model(torch.ones(1, 2)).sum().backward()
optimizer.step()
after = list(model.parameters())
print([not torch.equal(a, b) for a, b in zip(before, after)])
