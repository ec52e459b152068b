import torch

c = torch.tensor(5.0)
x = torch.tensor(3.0, requires_grad=True)
unused = torch.tensor(7.0, requires_grad=True)
y = x * c
z = y**2
z.backward()
print(f"{c.grad = }")
print(f"{x.grad = }")
print(f"{unused.grad = }")
