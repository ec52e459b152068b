import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 100), nn.Dropout(), nn.Linear(100, 1))
sizes = []


def pack(t):
    sizes.append(t.nbytes)
    return t


holds = []
for mode in (net.train, net.eval):
    mode()
    net.zero_grad()
    sizes.clear()
    with saved_tensors_hooks(pack, lambda t: t):
        y = net(torch.ones(10, 4)).sum()
    y.backward()
    grads = [p.grad is not None for p in net.parameters()]
    print(f"{net.training = }, {grads = }, {sum(sizes) = }")
holds = not any(grads)
print(f"{holds = }")
