import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
d = x.detach()
d[0] = 10.0
print(f"{x = }")

with torch.no_grad():
    x[1] = 20.0

print(f"{d = }")
