import math

import torch
import torch.nn as nn

torch.manual_seed(0)


class Coupling(nn.Module):
    def __init__(self, dim, hidden, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(dim // 2, hidden), nn.ReLU(), nn.Linear(hidden, dim))

    def forward(self, x):
        x1, x2 = x.chunk(2, dim=1)
        if self.flip:
            x1, x2 = x2, x1
        log_s, t = self.net(x1).chunk(2, dim=1)
        log_s = torch.tanh(log_s)
        y2 = x2 * torch.exp(log_s) + t
        y = torch.cat([y2, x1] if self.flip else [x1, y2], dim=1)
        return y, log_s.sum(dim=1)


class RealNVP(nn.Module):
    def __init__(self, dim, layers):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(dim, 8, i % 2 == 1) for i in range(layers))
        self.register_buffer("mean", torch.zeros(dim))

    def log_prob(self, x):
        log_det = x.new_zeros(x.shape[0])
        for layer in self.layers:
            x, ld = layer(x)
            log_det = log_det + ld
        log_pz = -0.5 * ((x - self.mean) ** 2 + math.log(2 * math.pi)).sum(dim=1)
        return log_pz + log_det


flow = RealNVP(2, 2)
optimizer = torch.optim.Adam(flow.parameters(), lr=1e-2)
for i in range(2):
    x = torch.randn(6, 2) * torch.tensor([2.0, 0.5]) + 1
    loss = -flow.log_prob(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"iteration {i}: {loss:.4f}")
