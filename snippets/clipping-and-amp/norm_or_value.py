import torch
from torch.nn.utils import clip_grad_norm_, clip_grad_value_


def gradient(clip, *numbers):
    w = torch.zeros(2, requires_grad=True)
    (w * torch.tensor(numbers)).sum().backward()
    clip([w], 1.0)
    return w.grad


print(f"{gradient(clip_grad_norm_, 3.0, 4.0) = }")
print(f"{gradient(clip_grad_value_, 3.0, 4.0) = }")
print(f"{gradient(clip_grad_norm_, 0.3, 0.4) = }")
print(f"{gradient(clip_grad_value_, 0.3, 0.4) = }")
