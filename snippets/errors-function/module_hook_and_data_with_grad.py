import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(2, 1)
nn.init.ones_(layer.weight)
layer.register_full_backward_hook(
    lambda module, g_in, g_out: print(f"{g_in = }")
)
layer(torch.ones(1, 2, requires_grad=True)).sum().backward()

layer.weight.register_hook(lambda g: print(f"weight: {g}"))
layer(torch.ones(1, 2, requires_grad=True)).sum().backward()
