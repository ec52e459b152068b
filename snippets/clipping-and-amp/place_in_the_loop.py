import torch
from torch.nn.utils import clip_grad_norm_


def train(place):
    w = torch.tensor(10.0, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    loss = w**2
    optimizer.zero_grad()
    if place == "before backward()":
        clip_grad_norm_([w], 1.0)
    loss.backward()
    if place == "before step()":
        clip_grad_norm_([w], 1.0)
    optimizer.step()
    if place == "after step()":
        clip_grad_norm_([w], 1.0)
    return w.item()


for place in ("before backward()", "before step()", "after step()"):
    print(f"{place}: {train(place):.1f}")
