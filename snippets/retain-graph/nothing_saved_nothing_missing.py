import torch

x = torch.tensor(5.0, requires_grad=True)
z = 10 - (x + 1)
z.backward()
z.backward()
print(f"{x.grad = }")
