from types import SimpleNamespace

import torch
from torch import nn

torch.manual_seed(0)
cases = {}
names = ["default", "no_grad()", "inference_mode()"]
names += ["eval()", "requires_grad_(False)"]
for name in names:
    layer = nn.Linear(1, 1)
    nn.init.constant_(layer.weight, 3.0)
    x = torch.tensor([2.0], requires_grad=True)
    if name == "no_grad()":
        with torch.no_grad():
            y = layer(x)
    elif name == "inference_mode()":
        with torch.inference_mode():
            y = layer(x)
    else:
        if name == "eval()":
            layer.eval()
        if name == "requires_grad_(False)":
            layer.requires_grad_(False)
        y = layer(x)
    if y.requires_grad:
        y.backward()
    cases[name] = SimpleNamespace(layer=layer, x=x, y=y)
print([name for name, t in cases.items() if t.y.requires_grad])
