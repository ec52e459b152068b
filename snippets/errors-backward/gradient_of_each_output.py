import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
u = x**2
(du,) = torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u))
print(f"{du = }")
