import torch
from torch import nn


class Exp(nn.Module):
    def forward(self, x):
        return x.exp()


def look(layer, args, out):
    print(f"{type(layer).__name__}: {out.isfinite().all().item()}")


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 2), Exp(), nn.Softmax(1))
for layer in net:
    layer.register_forward_hook(look)
x = torch.tensor([[1.0], [500.0]])
print(f"{x.isfinite().all().item() = }")
print(f"{net(x).sum().item() = }")
