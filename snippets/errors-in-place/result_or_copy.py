import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
result = torch.add(x, 1)
result.sum().backward()
print(f"{x.grad = }")

x.grad = None
result = torch.zeros(2)
result.copy_(torch.add(x, 1))
result.sum().backward()
print(f"{x.grad = }")
