import torch
from torch import nn
from torch.func import functional_call, jacrev, vmap

torch.manual_seed(0)
net = nn.Linear(2, 3)
x = torch.randn(4, 2)
weights = {k: p.detach() for k, p in net.named_parameters()}


def by_weights(weights, x):
    return functional_call(net, weights, (x,))


whole = jacrev(net)(x)
per_sample = vmap(jacrev(net))(x)
J = vmap(jacrev(by_weights), in_dims=(None, 0))(weights, x)
print(f"{whole.shape = }\n{per_sample.shape = }")
print({name: j.shape for name, j in J.items()})
print(f"{whole[0, :, 1].any() = }")
