import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
first = y[:1]
y += 1
print(f"{first = }")
first *= 10
print(f"{y = }")
y.sum().backward()
print(f"{x.grad = }")
