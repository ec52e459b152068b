import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(1, 1)
x = torch.tensor([2.0])
with torch.no_grad():
    a = layer(x)
with torch.inference_mode():
    b = layer(x)
layer.eval()
c = layer(x)
layer.train()
layer.requires_grad_(False)
d = layer(x)
print([y.requires_grad for y in (a, b, c, d)])
