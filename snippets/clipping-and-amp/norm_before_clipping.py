import torch
from torch.nn.utils import clip_grad_norm_

a = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
(3 * a + 4 * b).backward()
norm = clip_grad_norm_([a, b], max_norm=1.0)
print(f"{norm = }")
print(f"{a.grad = }")
print(f"{b.grad = }")
