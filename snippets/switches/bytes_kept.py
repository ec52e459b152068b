import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
first = nn.Sequential(nn.Linear(10, 10), nn.Tanh())
second = nn.Sequential(nn.Linear(10, 10), nn.Tanh())
net = nn.Sequential(first, second)
x = torch.ones(100, 10)
known = {t.data_ptr() for t in [x, *net.parameters()]}


def kept(forward):
    found = {}

    def pack(t):
        if t.data_ptr() not in known:
            found[t.data_ptr()] = t.nbytes
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        forward(x)
    return sum(found.values())


def second_again(x):
    return checkpoint(second, first(x), use_reentrant=False)


sizes = {
    "net(x)": kept(net),
    "net(x).detach()": kept(lambda x: net(x).detach()),
    "checkpoint()": kept(second_again),
    "no_grad()": kept(torch.no_grad()(net)),
    "inference_mode()": kept(torch.inference_mode()(net)),
    "eval()": kept(net.eval()),
    "frozen": kept(net.requires_grad_(False)),
}
for name, size in sizes.items():
    print(f"{name:<16}{size:>5}")
