import torch

x = torch.tensor(5.0, requires_grad=True)
z = torch.log(x**3) + torch.sqrt(x**2)
(total,) = torch.autograd.grad(z, x)
print(f"{total = }")
print(f"{x.grad = }")
