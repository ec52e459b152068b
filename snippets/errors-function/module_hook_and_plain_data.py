import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(2, 1)
layer.register_full_backward_hook(
    lambda module, g_in, g_out: print(f"{g_in = }")
)
layer(torch.ones(1, 2)).sum().backward()
