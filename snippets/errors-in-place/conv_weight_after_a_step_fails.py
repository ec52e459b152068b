# raises: RuntimeError
import torch
from torch import nn

torch.manual_seed(0)
d = nn.Conv2d(3, 8, 3)
optimizer = torch.optim.SGD(d.parameters(), lr=0.5)
fake = torch.ones(1, 3, 4, 4, requires_grad=True)

score = d(fake).mean()
score.backward(retain_graph=True)
optimizer.step()
(-score).backward()
