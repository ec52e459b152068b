import torch

x = torch.tensor(2.0, requires_grad=True)
d = (x * 3).detach().requires_grad_()
y = d**2
y.backward()
print(f"{d.is_leaf = }")
print(f"{d.grad = }")
print(f"{x.grad = }")
