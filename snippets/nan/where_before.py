import torch

x = torch.tensor([1.0, 100.0], requires_grad=True)
small = x < 10
safe = torch.where(small, x, 0.0)
torch.where(small, safe.exp(), x).sum().backward()
print(f"{x.grad = }")

x = torch.tensor([1.0, 100.0], requires_grad=True)
y = x.clone()
y[small] = x[small].exp()
y.sum().backward()
print(f"{x.grad = }")
