import torch

x = torch.tensor([-5.0, 5.0], requires_grad=True)
w = x**2
w.retain_grad()
torch.sqrt(w).sum().backward()
print(f"{w.grad = }")
print(f"{x.grad = }")
