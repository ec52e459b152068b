import torch

x = torch.tensor(3.0, requires_grad=True)
w = torch.tensor(2.0, requires_grad=True)
with torch.no_grad():
    y = x * 2
    u = y + 1
z = u * w
z.backward()
