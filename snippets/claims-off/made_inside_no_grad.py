import torch
from torch import nn

with torch.no_grad():
    flag = torch.tensor(2.0, requires_grad=True)
    method = torch.tensor(2.0).requires_grad_()
    parameter = nn.Parameter(torch.tensor(2.0))
    result = flag * 3
made = [flag, method, parameter, result]
holds = [not t.requires_grad for t in made]
print(f"{holds = }")

(5 * sum(made)).backward()
print(f"{[t.grad for t in made] = }")
