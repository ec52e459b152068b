import torch
from torch import nn

torch.manual_seed(0)
table, head = nn.Embedding(10, 2, sparse=True), nn.Linear(2, 1)
optimizers = [
    torch.optim.SparseAdam(table.parameters(), lr=0.1),
    torch.optim.Adam(head.parameters(), lr=0.1),
]
before = table.weight.clone()
head(table(torch.tensor([1, 3]))).sum().backward()
for optimizer in optimizers:
    optimizer.step()
print((table.weight != before).any(dim=1).nonzero().flatten())
