import torch

x = torch.tensor(4.0, requires_grad=True)
y = x.sqrt()
n = y.detach().numpy()
n.fill(1.0)
print(f"{y = }")
print(f"{y._version = }")
y.backward()
print(f"{x.grad = }")
