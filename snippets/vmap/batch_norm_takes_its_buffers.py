import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.manual_seed(0)
x = torch.randn(4, 2)


def loss(weights, buffers, x):
    out = functional_call(net, (weights, buffers), (x,))
    return out.square().sum()


net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
state = dict(net.named_parameters()), dict(net.named_buffers())
print(grad(loss)(*state, x).keys())
print(f"{net[1].num_batches_tracked = }")

net.eval()
per_sample = vmap(grad(loss), in_dims=(None, None, 0))
print(per_sample(*state, x[:, None])["0.bias"].shape)
