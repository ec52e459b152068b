import torch

x = torch.tensor(3.0, requires_grad=True)
y = x * 2
v = torch.tensor(5.0)
v.mul_(x)  # or: v.mul_(x.detach()) | v * x
print(f"{y.is_leaf = }")
print(f"{x.is_leaf = }")
print(f"{v.is_leaf = }")
holds = [not t.is_leaf for t in (x, v)]
print(f"{holds = }")
