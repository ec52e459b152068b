import torch
from torch.nn.utils import clip_grad_norm_


def step(unscale_first):
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=1.0)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    loss = (w**2).sum() / 2
    scaler.scale(loss).backward()
    if unscale_first:
        scaler.unscale_(optimizer)
    norm = clip_grad_norm_([w], max_norm=1.0)
    scaler.step(optimizer)
    scaler.update()
    return norm, w


norm, w = step(unscale_first=False)
print(f"{norm = } {w.detach() = }")
norm, w = step(unscale_first=True)
print(f"{norm = } {w.detach() = }")
