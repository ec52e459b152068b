# raises: RuntimeError
import torch

x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(5.0, requires_grad=True)
y = x * 3
branch = w * y  # or: w * y.relu()
y += branch  # or: y = y + branch
print(f"{y = }")
y.backward()
print(f"{x.grad = }")
