import torch
from torch.nn.utils import clip_grad_norm_


def accumulate(in_each_part):
    w = torch.zeros(2, requires_grad=True)
    for part in (torch.tensor([6.0, 0.0]), torch.tensor([0.0, 8.0])):
        (w @ part).backward()
        if in_each_part:
            clip_grad_norm_([w], 1.0)
    clip_grad_norm_([w], 1.0)
    return w.grad


once, each = accumulate(False), accumulate(True)
print(f"{once = }")
print(f"{each = }")
