import torch
from torch import nn

torch.manual_seed(0)
table = nn.Embedding(1000, 2, sparse=True)
out = table(torch.tensor([5, 7, 5]))
out.sum().backward()
print(f"{table.weight.grad.coalesce() = }")
