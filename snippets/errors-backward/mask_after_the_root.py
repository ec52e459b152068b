import torch
from torch.nn.utils import clip_grad_norm_, clip_grad_value_

x = torch.tensor([0.0, 4.0], requires_grad=True)
y = torch.where(x > 0, x.sqrt(), 0.0)
y.sum().backward()
print(f"{y = }")
print(f"{x.grad = }")
clip_grad_value_([x], 1.0)
print(f"{x.grad = }")
clip_grad_norm_([x], 1.0)
print(f"{x.grad = }")
