import torch

x = torch.tensor(2.0, requires_grad=True)  # values: 1.5, 2.0, 3.0, 4.0, 11.0
y = x
while y < 10:
    y = y * x
print(f"{y = }")
y.backward()
print(f"{x.grad = }")
