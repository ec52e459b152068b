import torch

x = torch.tensor(0.0, requires_grad=True)
y = x.exp()
y = y + 1
y.backward()
print(f"{x.grad = }")

x.grad = None
y = x.exp()
c = y.clone()
c += 1
c.backward()
print(f"{x.grad = }")
