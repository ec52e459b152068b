import torch

x = torch.tensor([0.0, 0.0], requires_grad=True)
y = x.sigmoid()
y.data += 1
y.sum().backward()
print(f"{x.grad = }")
