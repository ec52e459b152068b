import torch

g = torch.tensor(2.0, requires_grad=True)
d = torch.tensor(3.0, requires_grad=True)
fake = g * 5
(d * fake).backward()
print(f"{fake.is_leaf = }")
print(f"{fake.grad = }")
print(f"{g.grad = }")
