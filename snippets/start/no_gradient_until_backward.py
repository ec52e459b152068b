import torch

a = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
out = a.sigmoid()
print(f"{a.requires_grad = }")
print(f"{a.grad = }")
out.sum().backward()
print(f"{a.grad = }")
print(f"{(out * (1 - out)).detach() = }")
