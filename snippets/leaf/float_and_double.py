import torch

x = torch.ones(2, requires_grad=True)
a = x.float()
b = x.double()
print(f"{(a.is_leaf, b.is_leaf) = }")
print(f"{(a is x, b is x) = }")
