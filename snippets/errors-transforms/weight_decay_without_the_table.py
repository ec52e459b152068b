import torch
from torch import nn

torch.manual_seed(0)
table, head = nn.Embedding(10, 2, sparse=True), nn.Linear(2, 1)
groups = [
    {"params": table.parameters(), "weight_decay": 0.0},
    {"params": head.parameters(), "weight_decay": 0.1},
]
optimizer = torch.optim.Adagrad(groups, lr=0.1)
before = table.weight.clone()
head(table(torch.tensor([1, 3]))).sum().backward()
optimizer.step()
print((table.weight != before).any(dim=1).nonzero().flatten())
