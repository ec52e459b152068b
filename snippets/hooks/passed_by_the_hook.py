import torch
from torch import nn

torch.manual_seed(0)
calls, kept = [], []
layer = nn.Linear(1, 1)
layer.register_full_backward_hook(lambda *args: calls.append(args))
layer.register_forward_hook(lambda m, args, y: kept.append(y))


def kept_output():
    layer(x)
    return kept[-1]


x = torch.ones(1, 1, requires_grad=True)
ways = {"layer(x)": lambda: layer(x)}
ways["layer.forward(x)"] = lambda: layer.forward(x)
ways["kept by a forward hook"] = kept_output
for name, way in ways.items():
    calls.clear()
    way().sum().backward()
    print(f"{name:24}{len(calls)}")
