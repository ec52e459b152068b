import torch

x = torch.tensor(3.0, requires_grad=True)
z = x
for _ in range(10_000):
    z = z + 1
z.backward()
