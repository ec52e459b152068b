import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
head = y[:1]
head *= 2
y.sum().backward()
print(f"{x.grad = }")
