import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.manual_seed(0)
net = nn.GRU(2, 3)
weights = dict(net.named_parameters())


def loss(weights, x, h):
    y, h = functional_call(net, weights, (x, h))
    return y.square().sum()


x, h = torch.randn(4, 5, 2), torch.zeros(4, 1, 3)
grads = vmap(grad(loss), in_dims=(None, 0, 0))(weights, x, h)
print({name: tuple(g.shape) for name, g in grads.items()})
