import math

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, linear, rank=2, alpha=4):
        super().__init__()
        self.linear = linear
        self.linear.weight.requires_grad_(False)
        self.linear.bias.requires_grad_(False)
        self.A = nn.Parameter(torch.zeros(rank, linear.in_features))
        self.B = nn.Parameter(torch.zeros(linear.out_features, rank))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.scale = alpha / rank

    def forward(self, x):
        return self.linear(x) + (x @ self.A.T @ self.B.T) * self.scale

    def merge(self):
        with torch.no_grad():
            self.linear.weight += self.scale * self.B @ self.A


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
for i, layer in enumerate(model):
    if isinstance(layer, nn.Linear):
        model[i] = LoRALinear(layer)
trainable = [p for p in model.parameters() if p.requires_grad]
print(sum(p.numel() for p in trainable), "of", sum(p.numel() for p in model.parameters()))
optimizer = torch.optim.AdamW(trainable, lr=0.05)
x, y = torch.randn(8, 3), torch.randn(8, 1)
for step in range(4):
    loss = (model(x) - y).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
before = model(x).detach()
for layer in model:
    if isinstance(layer, LoRALinear):
        layer.merge()
print(round(loss.item(), 3), tuple(before.shape))
