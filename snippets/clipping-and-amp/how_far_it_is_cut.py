import torch
from torch.nn.utils import clip_grad_norm_, clip_grad_value_

a = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
(3 * a + 4 * b).backward()
limit = 1.0  # values: 0.5, 1.0, 3.5, 5.0, 10.0
clip_grad_norm_([a, b], limit)  # or: clip_grad_value_([a, b], limit)
print(f"{a.grad.item() = :.2f}, {b.grad.item() = :.2f}")
print(f"{(b.grad / a.grad).item() = :.2f}")
