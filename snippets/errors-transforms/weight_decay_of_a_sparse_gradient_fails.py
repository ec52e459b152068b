# raises: RuntimeError
import torch
from torch import nn

torch.manual_seed(0)
table = nn.Embedding(10, 2, sparse=True)
optimizer = torch.optim.Adagrad(table.parameters(), weight_decay=0.1)
table(torch.tensor([1, 3])).sum().backward()
optimizer.step()
