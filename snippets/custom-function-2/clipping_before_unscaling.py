import torch
from torch.nn.utils import clip_grad_norm_


def step(unscale_first):
    w = torch.zeros(2, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=1.0)
    scaler = torch.amp.GradScaler("cpu")
    loss = (torch.tensor([3.0, 4.0]) * w).sum()
    scaler.scale(loss).backward()
    if unscale_first:
        scaler.unscale_(optimizer)
    norm = clip_grad_norm_([w], max_norm=1.0)
    print(f"{unscale_first = }, {norm = }")
    scaler.step(optimizer)
    return w.norm().item()


late = step(unscale_first=False)
right = step(unscale_first=True)
print(f"{late = :.6f}, {right = :.6f}")
