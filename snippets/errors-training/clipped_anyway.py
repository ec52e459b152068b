import torch
from torch.nn.utils import clip_grad_norm_

w = torch.tensor([0.0, 4.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
w.sqrt().sum().backward()
clip_grad_norm_([w], max_norm=1.0)
optimizer.step()
print(f"{w = }")
