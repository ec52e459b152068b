import torch

with torch.no_grad():
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    c = torch.tensor(5.0)
print(f"{x.requires_grad = }")
print(f"{y.requires_grad = }")
print(f"{c.requires_grad = }")
holds = [not t.requires_grad for t in (x, y, c)]
print(f"{holds = }")
