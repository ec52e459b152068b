import torch

x = torch.tensor(4.0, requires_grad=True)
y = x.sqrt()
with torch.no_grad():
    y.add_(1)
z = y * 2
