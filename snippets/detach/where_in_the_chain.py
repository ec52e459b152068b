import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
c = torch.tensor(5.0, requires_grad=True)
h = a * b  # or: a * b.detach() | a.detach() * b | (a * b).detach()
loss = h * c
loss.backward()
print(f"{a.grad = }")
print(f"{b.grad = }")
print(f"{c.grad = }")
