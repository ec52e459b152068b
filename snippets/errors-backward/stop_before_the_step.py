import torch
from torch.nn.utils import clip_grad_norm_

w = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
(w**2).sqrt().backward()
try:
    clip_grad_norm_([w], 1.0, error_if_nonfinite=True)
    optimizer.step()
except RuntimeError as error:
    print(type(error).__name__)
print(f"{w = }")
