import torch

x = torch.tensor(5.0)
y = x**2
x.requires_grad_()
z = y + 3 * x
z.backward()
print(f"{x.grad = }")
