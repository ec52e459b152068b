import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
first = nn.Sequential(nn.Linear(10, 10), nn.Tanh())
second = nn.Sequential(nn.Linear(10, 10), nn.Tanh())
net = nn.Sequential(first, second)
x = torch.ones(100, 10)
known = {t.data_ptr() for t in [x, *net.parameters()]}
hooks = torch.autograd.graph.saved_tensors_hooks
forwards = {
    "net(x)": net,
    "net(x).detach()": lambda x: net(x).detach(),
    "checkpoint()": lambda x: checkpoint(
        second, first(x), use_reentrant=False
    ),
    "no_grad()": torch.no_grad()(net),
    "inference_mode()": torch.inference_mode()(net),
    "eval()": lambda x: net.eval()(x),
    "frozen": lambda x: net.requires_grad_(False)(x),
}
sizes = {}
for name, forward in forwards.items():
    kept = {}
    with hooks(lambda t: kept.setdefault(t.data_ptr(), t), lambda t: t):
        forward(x)
    new = [t for place, t in kept.items() if place not in known]
    sizes[name] = sum(t.nbytes for t in new)
    print(f"{name:<16}{sizes[name]:>5}")
