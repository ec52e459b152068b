import copy

import torch
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm

torch.manual_seed(0)
net = spectral_norm(nn.Linear(2, 2))
x = torch.ones(1, 2)
net(x)
copied = copy.deepcopy(net)
print(f"{torch.allclose(net.eval()(x), copied.eval()(x)) = }")
