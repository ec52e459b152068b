import torch

x = torch.tensor(0.0, requires_grad=True)  # values: -2.0, -1.0, 0.0, 1.0, 2.0
y = x.relu()  # or: x.abs() | x.norm() | (x**2).sqrt()
y.backward()
print(f"{y = }")
print(f"{x.grad = }")
