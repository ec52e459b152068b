import torch

x = torch.tensor([0.75, -0.75, 1.5], requires_grad=True)
y = torch.round(x)
y.sum().backward()
print(f"{y = }")
print(f"{x.grad = }")
