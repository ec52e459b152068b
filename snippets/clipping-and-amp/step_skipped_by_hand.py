import torch
from torch.nn.utils import clip_grad_norm_

w = torch.tensor([4.0, 1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
for x in (torch.tensor([1.0, 0.0]), torch.tensor([1.0, 1.0])):
    optimizer.zero_grad()
    (w * x).sqrt().sum().backward()
    norm = clip_grad_norm_([w], max_norm=1.0)
    if norm.isfinite():
        optimizer.step()
    print(f"{norm = :.3f} {w.tolist() = }")
