import torch
from torch.autograd import grad

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = torch.stack([x[0] * x[1], 5 * x[1]])
rows = torch.eye(2)
print(f"{rows = }")
print(f"{grad(y, x, rows, is_grads_batched=True) = }")
