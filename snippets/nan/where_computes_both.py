import torch

x = torch.tensor([1.0, 100.0], requires_grad=True)
y = torch.where(x < 10, x.exp(), x)
y.sum().backward()
print(f"{y[1].item() = }")
print(f"{x.grad[1].item() = }")
