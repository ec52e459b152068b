import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
c = torch.tensor(5.0, requires_grad=True)
b.requires_grad_(False)
h = a * b
loss = h * c
loss.backward()
print(f"{a.grad = }")
print(f"{b.grad = }")
print(f"{c.grad = }")
