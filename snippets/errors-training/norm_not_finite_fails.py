# raises: RuntimeError
import torch
from torch.nn.utils import clip_grad_norm_

w = torch.tensor([0.0, 4.0], requires_grad=True)
w.sqrt().sum().backward()
print(f"{w.grad = }")
clip_grad_norm_([w], max_norm=1.0, error_if_nonfinite=True)
