import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(1, 1)
        self.act = nn.Tanh()
        self.last = nn.Linear(1, 1)

    def forward(self, x):
        h = self.act(self.first(x))
        return self.last(torch.tensor(h.tolist()))


def look(layer, args, out):
    path = f"{args[0].requires_grad} -> {out.requires_grad}"
    print(f"{layer}: {path}")


torch.manual_seed(0)
net = Net()
for layer in net.children():
    layer.register_forward_hook(look)
net(torch.ones(1, 1)).sum().backward()
print([name for name, p in net.named_parameters() if p.grad is None])
