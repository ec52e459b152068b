import torch
from torch import nn
from torch.func import functional_call, grad

torch.manual_seed(0)
net = nn.Linear(1, 1)
net.weight.requires_grad_(False)
weights = dict(net.named_parameters())
x = torch.tensor([[3.0]])


def loss(weights):
    return functional_call(net, weights, (x,)).sum()


print(f"{grad(loss)(weights)['weight'] = }")
