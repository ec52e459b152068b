import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(10, 10), nn.Tanh(), nn.Linear(10, 10))
x = torch.ones(100, 10)
known = {t.data_ptr() for t in [x, *net.parameters()]}


def kept(forward):
    sizes = {}

    def pack(t):
        if t.data_ptr() not in known:
            sizes[t.data_ptr()] = t.nbytes
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        forward(x)
    return sum(sizes.values())


print(f"{kept(net) = }")
print(f"{kept(lambda x: net(x).detach()) = }")
print(f"{kept(torch.no_grad()(net)) = }")
print(f"{kept(torch.inference_mode()(net)) = }")
print(f"{kept(net.eval()) = }")
print(f"{kept(net.requires_grad_(False)) = }")
