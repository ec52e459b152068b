import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks


def kept(activation):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 50), activation, nn.Linear(50, 1))
    storages = {}

    def pack(t):
        storages[t.data_ptr()] = t.nbytes
        return t

    with saved_tensors_hooks(pack, lambda t: t):
        y = net(torch.ones(10, 8))
    y.sum().backward()
    return sum(storages.values())


holds = []
for kind in (nn.ReLU, nn.LeakyReLU, nn.SiLU):
    plain, in_place = kept(kind()), kept(kind(inplace=True))
    print(f"{kind.__name__}: {plain = } {in_place = }")
    holds.append(in_place < plain)
print(f"{holds = }")
