import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
with torch.no_grad():
    h = a * 5
y = b * h
y.backward()
print(f"{h.requires_grad = }")
print(f"{y.requires_grad = }")
print(f"{a.grad = }")
print(f"{b.grad = }")
print(f"{(b * a.detach()).requires_grad = }")
