import torch

x = torch.tensor(2.0, requires_grad=True)
y = x * 3
before = y + 1
y.detach_()
print(f"{y = }, {y.is_leaf = }")
print(f"{(y + 1).requires_grad = }")
before.backward()
print(f"{x.grad = }")
