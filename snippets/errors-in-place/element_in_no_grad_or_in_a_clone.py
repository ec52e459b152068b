import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
with torch.no_grad():
    w[0] = 5.0
print(f"{w = }")

c = w.clone()
c[1] = 7.0
c.sum().backward()
print(f"{c = }")
print(f"{w.grad = }")
