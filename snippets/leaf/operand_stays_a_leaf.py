import torch

x = torch.tensor(3.0, requires_grad=True)
y = x * 2
print(f"{x.is_leaf = }")
print(f"{y.is_leaf = }")

v = torch.tensor(5.0)
print(f"{v.is_leaf = }")
v.mul_(x)
print(f"{v.is_leaf = }")
print(f"{v = }")
