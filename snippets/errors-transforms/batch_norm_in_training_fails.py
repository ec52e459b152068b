# raises: RuntimeError
import torch
from torch import nn
from torch.func import functional_call, grad

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
x = torch.randn(4, 2)


def loss(weights):
    return functional_call(net, weights, (x,)).square().sum()


grad(loss)(dict(net.named_parameters()))
