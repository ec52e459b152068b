import torch
from torch import nn


class LoRA(nn.Module):
    def __init__(self, base, a, b):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.a = nn.Parameter(torch.full((1, 2), a))
        self.b = nn.Parameter(torch.full((2, 1), b))

    def forward(self, x):
        return self.base(x) + x @ self.a.T @ self.b.T


torch.manual_seed(0)
for start in ((1.0, 0.0), (0.0, 0.0)):
    layer = LoRA(nn.Linear(2, 2), *start)
    layer(torch.ones(1, 2)).sum().backward()
    a, b = layer.a.grad.tolist(), layer.b.grad.tolist()
    print(f"{start = } {a = } {b = }")
print(f"{layer.base.weight.grad = }")
