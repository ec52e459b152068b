import math

import torch

zero = torch.zeros(())
steps = {
    "relu": torch.relu,
    "abs": torch.abs,
    "clamp": lambda x: x.clamp(min=0),
    "maximum": lambda x: torch.maximum(x, zero),
    "sqrt": torch.sqrt,
}
grads = {}
for name, step in steps.items():
    x = torch.tensor(0.0, requires_grad=True)
    step(x).backward()
    grads[name] = x.grad.item()
print(f"{grads = }")
holds = [math.isnan(g) or g == 0.5 for g in grads.values()]
print(f"{holds = }")
