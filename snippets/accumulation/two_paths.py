import torch

x = torch.tensor(5.0, requires_grad=True)
y = x**3
w = x**2
z = torch.log(y) + torch.sqrt(w)
y.retain_grad()
w.retain_grad()
z.retain_grad()
z.backward()
print(f"{z.grad = }")
print(f"{y.grad = }")
print(f"{w.grad = }")
print(f"{x.grad = }")
