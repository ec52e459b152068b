import torch
from torch import nn
from torch.func import functional_call, grad

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
x = torch.randn(4, 2)


def loss(weights, buffers):
    out = functional_call(net, (weights, buffers), (x,))
    return out.square().sum()


weights = dict(net.named_parameters())
print(grad(loss)(weights, dict(net.named_buffers())).keys())
print(f"{net[1].num_batches_tracked = }")
