import torch
from torch import nn

with torch.no_grad():
    flag = torch.tensor(2.0, requires_grad=True)
    method = torch.tensor(2.0).requires_grad_()
    parameter = nn.Parameter(torch.tensor(2.0))
leaves = [flag, method, parameter]
(3 * sum(leaves)).backward()
print(f"{[t.grad.item() for t in leaves] = }")
holds = [not t.requires_grad for t in leaves]
print(f"{holds = }")
