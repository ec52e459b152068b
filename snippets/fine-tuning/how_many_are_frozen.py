import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(*[nn.Linear(2, 2) for _ in range(8)])
model[:4].requires_grad_(False)  # values of 4: 0, 1, 2, 3, 4, 5, 6, 7
x = torch.ones(1, 2)  # or: torch.ones(1, 2, requires_grad=True)
nodes, todo = set(), [model(x).grad_fn]
while todo:
    node = todo.pop()
    if node and node not in nodes:
        nodes.add(node)
        todo += [before for before, _ in node.next_functions]
print(f"{len(nodes) = }")
