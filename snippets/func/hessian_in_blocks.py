import torch
from torch import nn
from torch.func import functional_call, hessian

torch.manual_seed(0)
net = nn.Linear(2, 1)
weights = {k: p.detach() for k, p in net.named_parameters()}
x = torch.tensor([[1.0, 1.0], [2.0, 0.0]])
y = torch.tensor([[2.0], [4.0]])


def loss(weights):
    out = functional_call(net, weights, (x,))
    return (out - y).square().mean()


H = hessian(loss)(weights)
for a in weights:
    print({b: H[a][b].shape for b in weights})

rows = []
for a, w in weights.items():
    blocks = [H[a][b].reshape(w.numel(), -1) for b in weights]
    rows.append(torch.cat(blocks, dim=1))
print(f"{torch.cat(rows) = }")
