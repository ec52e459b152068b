import torch

w = torch.ones(2, requires_grad=True)
with torch.no_grad():
    v = w[:1]
print(f"{v.is_leaf = }, {v.requires_grad = }")
(3 * v).sum().backward()
print(f"{v.grad = }, {w.grad = }")
