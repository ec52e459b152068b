import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
target = torch.zeros(2)
same = target.copy_(x)
print(f"{same is target = }")
print(f"{target = }")
(target * 5).sum().backward()
print(f"{x.grad = }")
