# raises: RuntimeError
import torch
from torch import nn

torch.manual_seed(0)
table = nn.Embedding(10, 2, sparse=True)
optimizer = torch.optim.Adam(table.parameters())
table(torch.tensor([1, 3])).sum().backward()
optimizer.step()
