# raises: RuntimeError
import torch
from torch import nn

torch.manual_seed(0)
g = nn.Linear(1, 1)
d = nn.Linear(1, 1)
optimizer = torch.optim.SGD(d.parameters(), lr=0.5)

score = d(g(torch.ones(1, 1)))
score.backward(retain_graph=True)
optimizer.step()
(-score).backward()
