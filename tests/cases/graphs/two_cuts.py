import torch

x = torch.tensor(2.0, requires_grad=True)
a, b = x + 1, x + 2
with torch.no_grad():
    z = a * b
