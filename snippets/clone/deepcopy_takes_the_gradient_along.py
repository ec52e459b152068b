import copy

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
(x * 3).sum().backward()

d = copy.deepcopy(x)
print(f"{d = }")
print(f"{d.grad = }")
(d * 5).sum().backward()
print(f"{d.grad = }")
print(f"{x.grad = }")
