import torch

x = torch.tensor(2.0, requires_grad=True)
y = x * 3
print(f"{y = }")
y.detach_()
print(f"{y = }")
print(f"{y.is_leaf = }")
print(f"{(y * 5).requires_grad = }")
