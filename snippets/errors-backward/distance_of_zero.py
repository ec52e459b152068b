import torch

x = torch.zeros(2, requires_grad=True)
(x**2).sum().sqrt().backward()
print(f"{x.grad = }")

x.grad = None
torch.linalg.vector_norm(x).backward()
print(f"{x.grad = }")
