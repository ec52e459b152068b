import torch

x = torch.tensor(1.0, requires_grad=True)  # values: -1.0, -0.5, 0.0, 0.5, 1.0
y = (x**2).sqrt()  # or: (x**2).sqrt() + 1e-8 | (x**2 + 1e-8).sqrt() | torch.linalg.vector_norm(x)
y.backward()
print(f"{y.item() = :.4f}")
print(f"{x.grad.item() = :.4f}")
