import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
(x**2).sum().backward()
print(f"{x.grad = }")

pixels = torch.tensor([1, 2, 3])
x = pixels.float().requires_grad_()
(x**2).sum().backward()
print(f"{x.grad = }")
