import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
named, cloned = x, x.clone()
print(f"{named is x = }")
print(f"{cloned is x = }")

target = torch.zeros(2).copy_(x)
print(f"{target = }")
target.sum().backward()
print(f"{x.grad = }")
holds = [cloned is x, target.grad_fn is None]
print(f"{holds = }")
