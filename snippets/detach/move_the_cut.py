import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**2
z = y.detach() * x  # or: y * x.detach() | y * x | (y * x).detach() raises RuntimeError
z.backward()
print(f"{x.grad = }")
