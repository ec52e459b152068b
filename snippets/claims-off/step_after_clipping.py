import torch
from torch.nn.utils import clip_grad_norm_


def moved(optimizer_class, max_norm):
    w = torch.tensor(1.0, requires_grad=True)
    optimizer = optimizer_class([w], lr=0.1)
    (10 * w).backward()
    clip_grad_norm_([w], max_norm)
    optimizer.step()
    return abs(w.item() - 1)


holds = []
for optimizer_class in (torch.optim.SGD, torch.optim.Adam):
    free, clipped = (moved(optimizer_class, n) for n in (100.0, 1.0))
    print(f"{optimizer_class.__name__}: {free:.3f} {clipped:.3f}")
    holds.append(clipped < 0.99 * free)
print(f"{holds = }")
