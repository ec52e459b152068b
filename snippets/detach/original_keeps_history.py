import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**2
d = y.detach()
print(f"{y = }")
print(f"{d = }")
print(f"{d is y = }")
y.backward()
print(f"{x.grad = }")
