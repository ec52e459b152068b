import torch

x = torch.tensor(2.0, requires_grad=True)
y = x
while y < 10:
    y = y * x
print(f"{y = }")
y.backward()
print(f"{x.grad = }")
